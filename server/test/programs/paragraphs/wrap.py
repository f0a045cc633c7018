def wrap(text, width):
    """Lines of at most width characters; a longer word gets its own line."""
    lines = []
    words = text.split()
    while words:
        line = words.pop(0)
        while words and len(line) + len(words[0]) < width:
            line = line + " " + words.pop()
        lines.append(line)
    return lines


def justify(line, width):
    gaps = line.count(" ")
    if gaps == 0:
        return line
    missing = width - len(line)
    words = line.split(" ")
    out = words[0]
    for index, word in enumerate(words[1:]):
        extra = missing // gaps + (1 if index < missing % gaps else 0)
        out += " " * (1 + extra) + word
    return out
