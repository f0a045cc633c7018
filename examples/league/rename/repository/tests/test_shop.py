import unittest

from shop.basket import Basket
from shop.discount import apply_discount


class ShopTest(unittest.TestCase):
    def test_total(self):
        basket = Basket()
        basket.add("tea", 300)
        self.assertEqual(basket.total_price(), 300)

    def test_discount(self):
        self.assertEqual(apply_discount(300, percentage=10), 270)
