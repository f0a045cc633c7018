import pathlib
import subprocess
import sys
import unittest

COMMAND = pathlib.Path(__file__).parent.parent / "count.py"
TEXT = "the cat and the dog and the bird\nit's a cat"


def run(*words, text=TEXT):
    done = subprocess.run([sys.executable, COMMAND, *words], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class HiddenTest(unittest.TestCase):
    def test_all(self):
        lines = ["3 the", "2 and", "2 cat", "1 a", "1 bird", "1 dog", "1 it's", ""]
        self.assertEqual(run(), (0, "\n".join(lines), ""))

    def test_top(self):
        self.assertEqual(run("--top", "2"), (0, "3 the\n2 and\n", ""))
        self.assertEqual(run("--top=1"), (0, "3 the\n", ""))
        self.assertEqual(run("--top", "99")[1].count("\n"), 7)
        self.assertEqual(run("--top", "3", text=""), (0, "", ""))

    def test_wrong(self):
        for wrong in ["0", "-1", "2.5", "many", ""]:
            code, out, err = run("--top", wrong)
            self.assertEqual((code, out), (2, ""), wrong)
            self.assertNotEqual(err, "")
            self.assertNotIn("Traceback", err)
