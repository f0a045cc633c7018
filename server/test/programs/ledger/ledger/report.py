from .accounts import Account


def statement(account: Account) -> str:
    lines = [f"{text:<12}{cents:>8}" for cents, text in account.history]
    return "\n".join([*lines, f"{'balance':<12}{account.balance:>8}"])
