class Account:
    def __init__(self, name, history=[]):
        self.name = name
        self.history = history

    def book(self, cents, text):
        self.history.append((cents, text))

    @property
    def balance(self):
        return sum(cents for cents, _ in self.history)


def transfer(source, target, cents):
    """Moves money; refuses to go below zero."""
    if source.balance < cents:
        raise ValueError(f"{source.name} has only {source.balance}")
    source.book(-cents, f"to {target.name}")
    target.book(cents, f"from {source.name}")
