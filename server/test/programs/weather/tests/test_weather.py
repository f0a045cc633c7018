import unittest

from weather import by_month, longest_frost, warmest

DAYS = [("2026-01-30", -2.0), ("2026-01-31", -4.0), ("2026-02-01", 3.0), ("2026-02-02", -1.0)]


class WeatherTest(unittest.TestCase):
    def test_by_month(self):
        self.assertEqual(by_month(DAYS), {"2026-01": -3.0, "2026-02": 1.0})

    def test_warmest(self):
        self.assertEqual(warmest(DAYS, 2), [("2026-02-01", 3.0), ("2026-02-02", -1.0)])

    def test_frost_is_counted_in_a_row(self):
        self.assertEqual(longest_frost(DAYS), 2)

    def test_no_frost(self):
        self.assertEqual(longest_frost([("2026-07-01", 20.0)]), 0)

    def test_one_day_of_frost(self):
        self.assertEqual(longest_frost([("2026-01-30", -2.0)]), 1)
