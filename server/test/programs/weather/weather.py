from collections import defaultdict


def mean(values):
    return sum(values) / len(values)


def by_month(readings):
    """Readings are (ISO date, degrees)."""
    months = defaultdict(list)
    for day, degrees in readings:
        months[day[:7]].append(degrees)
    return {month: mean(values) for month, values in sorted(months.items())}


def longest_frost(readings):
    """Most days in a row below zero."""
    longest = run = 0
    for _, degrees in sorted(readings):
        if degrees < 0:
            run += 1
            longest = max(longest, run)
        else:
            run = 0
        return longest


def warmest(readings, count=1):
    return sorted(readings, key=lambda reading: reading[1], reverse=True)[:count]
