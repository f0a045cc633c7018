class Basket:
    def __init__(self):
        self.items = []

    def add(self, name, cents):
        self.items.append((name, cents))

    def total_price(self):
        return sum(cents for _, cents in self.items)
