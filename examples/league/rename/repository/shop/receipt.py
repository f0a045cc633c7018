from shop.discount import apply_discount


def receipt(basket, percentage=0):
    lines = [f"{name}: {cents}" for name, cents in basket.items]
    total = apply_discount(basket.total_price(), percentage=percentage)
    return "\n".join([*lines, f"Total: {total}"])
