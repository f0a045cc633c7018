def apply_discount(cents, percentage):
    """Takes a percentage off, rounded to the whole cent."""
    return round(cents * (100 - percentage) / 100)
