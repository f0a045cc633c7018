import unittest

from wrap import wrap


class WrapTest(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(wrap("", 10), [])

    def test_one_line(self):
        self.assertEqual(wrap("ab cd", 10), ["ab cd"])

    def test_exact(self):
        self.assertEqual(wrap("ab cd", 5), ["ab cd"])

    def test_order(self):
        self.assertEqual(wrap("a b c d e f", 5), ["a b c", "d e f"])

    def test_long_word(self):
        self.assertEqual(wrap("a abcdefgh b", 4), ["a", "abcdefgh", "b"])
