import unittest

from ledger.accounts import Account, transfer


class AccountTest(unittest.TestCase):
    def test_own_history(self):
        first, second = Account("first"), Account("second")
        first.book(5, "gift")
        self.assertEqual(second.history, [])
        self.assertEqual(first.balance, 5)

    def test_given_history(self):
        self.assertEqual(Account("old", [(3, "a"), (4, "b")]).balance, 7)


class TransferTest(unittest.TestCase):
    def test_moves(self):
        source, target = Account("s", [(10, "start")]), Account("t", [])
        transfer(source, target, 4)
        self.assertEqual((source.balance, target.balance), (6, 4))

    def test_refuses(self):
        with self.assertRaises(ValueError):
            transfer(Account("s", [(3, "start")]), Account("t", []), 4)
