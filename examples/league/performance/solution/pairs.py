def count_pairs(numbers, target):
    """How many pairs of places hold numbers that add up to the target."""
    seen = {}
    count = 0
    for number in numbers:
        count += seen.get(target - number, 0)
        seen[number] = seen.get(number, 0) + 1
    return count
