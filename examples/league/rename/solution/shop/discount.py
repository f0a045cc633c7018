def apply_discount(cents, percent):
    """Takes a percentage off, rounded to the whole cent."""
    return round(cents * (100 - percent) / 100)
