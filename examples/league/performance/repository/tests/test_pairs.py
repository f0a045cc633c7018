import unittest

from pairs import count_pairs


class PairsTest(unittest.TestCase):
    def test_pairs(self):
        self.assertEqual(count_pairs([1, 2, 3, 4], 5), 2)
        self.assertEqual(count_pairs([2, 2, 2], 4), 3)
