from shop.discount import apply_discount


def receipt(basket, percent=0):
    lines = [f"{name}: {cents}" for name, cents in basket.items]
    total = apply_discount(basket.total(), percent=percent)
    return "\n".join([*lines, f"Total: {total}"])
