"""Counts the words of a text: python3 count.py < text.txt"""
import re
import sys
from collections import Counter


def count_words(text):
    return Counter(re.findall(r"[a-z']+", text.lower()))


def main():
    for word, count in count_words(sys.stdin.read()).most_common():
        print(f"{count} {word}")


if __name__ == "__main__":
    main()
