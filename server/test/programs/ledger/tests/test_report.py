import unittest

from ledger.accounts import Account
from ledger.report import statement


class StatementTest(unittest.TestCase):
    def test_lines(self):
        text = statement(Account("a", [(500, "start")]))
        self.assertEqual(text, "start            500\nbalance          500")
