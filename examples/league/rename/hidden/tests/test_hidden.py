import pathlib
import unittest

from shop.basket import Basket
from shop.discount import apply_discount
from shop.receipt import receipt

ROOT = pathlib.Path(__file__).parent.parent


class HiddenTest(unittest.TestCase):
    def test_new_names(self):
        basket = Basket()
        basket.add("tea", 300)
        basket.add("cup", 700)
        self.assertEqual(basket.total(), 1000)
        self.assertEqual(apply_discount(1000, percent=10), 900)
        self.assertEqual(receipt(basket, 10), "tea: 300\ncup: 700\nTotal: 900")

    def test_old_names_are_gone(self):
        files = [*ROOT.glob("shop/*.py"), ROOT / "tests/test_shop.py", ROOT / "README.md"]
        self.assertGreater(len(files), 4)
        for file in files:
            text = file.read_text()
            self.assertNotIn("total_price", text, file)
            self.assertNotIn("percentage=", text, file)
            self.assertNotIn("cents, percentage", text, file)

    def test_their_tests_still_test(self):
        text = (ROOT / "tests/test_shop.py").read_text()
        self.assertIn("basket.total()", text)
        self.assertIn("percent=10", text)
