def count_pairs(numbers, target):
    """How many pairs of places hold numbers that add up to the target."""
    count = 0
    for i in range(len(numbers)):
        for j in range(i + 1, len(numbers)):
            if numbers[i] + numbers[j] == target:
                count += 1
    return count
