import random
import subprocess
import sys
import unittest

from pairs import count_pairs

LARGE = "from pairs import count_pairs; print(count_pairs([n % 1000 for n in range(200000)], 999))"


def slowly(numbers, target):
    return sum(a + b == target for i, a in enumerate(numbers) for b in numbers[i + 1 :])


class HiddenTest(unittest.TestCase):
    def test_results(self):
        draw = random.Random(7)
        for length in [0, 1, 2, 3, 10, 60]:
            for target in [-3, 0, 4, 7]:
                numbers = [draw.randint(-5, 5) for _ in range(length)]
                before = list(numbers)
                self.assertEqual(count_pairs(numbers, target), slowly(numbers, target), (numbers, target))
                self.assertEqual(numbers, before)

    def test_speed(self):
        done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, timeout=5)
        self.assertEqual(done.stdout, "20000000\n", done.stderr)
