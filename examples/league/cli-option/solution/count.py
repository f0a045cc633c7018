"""Counts the words of a text: python3 count.py < text.txt"""
import argparse
import re
import sys
from collections import Counter


def count_words(text):
    return Counter(re.findall(r"[a-z']+", text.lower()))


def whole_number(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, not {text!r}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description="Counts the words of a text.")
    parser.add_argument("--top", type=whole_number, metavar="N", help="only the N most frequent words")
    top = parser.parse_args().top
    counted = sorted(count_words(sys.stdin.read()).items(), key=lambda pair: (-pair[1], pair[0]))
    for word, count in counted[:top]:
        print(f"{count} {word}")


if __name__ == "__main__":
    main()
