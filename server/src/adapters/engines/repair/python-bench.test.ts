import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { testSandboxes } from '#test/test-sandboxes.ts'
import { Bench, type BenchAnswer, type BenchJob } from './bench.ts'
import { installTools } from './install-tools.ts'
import type { Suite } from './suite.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 1024 * MiB, processes: 256, diskBytes: 256 * MiB, lifetimeMs: 180_000 }
const { provider } = testSandboxes()
const { signal } = new AbortController()

const shop = `import dataclasses
import functools
import math
import types

LIMIT = 10
PRICES = {}


def base():
    return LIMIT


TABLE = [base() for _ in range(2)]


def add(a, b):
    return a - b


def scale(a, by=2):
    return a * by + 1


@functools.lru_cache
def cached(a):
    return a + 2


def counter(step):
    def count(a):
        return a + step + 1

    return count


def numbers(n):
    yield from range(n + 1)


STARTED = numbers(2)


def root(a):
    return math.sqrt(a) + 1


def words():
    """Says so."""
    return "no"


def documented(function):
    function.text = function.__doc__
    return function


@documented
def help():
    """Helps."""
    return "no"


def copied(function):
    code = function.__code__.replace(co_name="copy")
    return types.FunctionType(code, globals())


@copied
def twice(a):
    return a + 2


first, second = lambda a: a + 1, lambda a: a + 1


@dataclasses.dataclass
class Box:
    items: list
    size: int = 3

    def total(self):
        return sum(one for one in self.items) + 1

    @property
    def room(self):
        return self.size - len(self.items) - 1

    @staticmethod
    def name():
        return "bag"


class BigBox(Box):
    def total(self):
        return super().total() * 2


def keep(name, price):
    PRICES[name] = price + 1
    return len(PRICES)


async def later(a):
    return a - 1
`

const testShop = `import importlib
import unittest
from shop import BigBox, Box, STARTED, TABLE, add, base, cached, counter, first, help, keep, later, numbers, root, scale, second, twice, words
import shop

DOUBLE = shop.scale


class ShopTest(unittest.IsolatedAsyncioTestCase):
    def test_add(self): self.assertEqual(add(2, 3), 5)
    def test_base(self): self.assertEqual((base(), TABLE), (11, [11, 11]))
    def test_box(self): self.assertEqual((Box([1, 2]).total(), Box([1]).room, Box.name()), (3, 2, "box"))
    def test_big(self): self.assertEqual(BigBox([1]).total(), 2)
    def test_cached(self): self.assertEqual((cached(1), cached(1)), (2, 2))
    def test_copy(self): self.assertEqual(twice(3), 6)
    def test_counter(self): self.assertEqual(counter(1)(1), 2)
    def test_default(self): self.assertEqual(DOUBLE(1), 3)
    def test_help(self): self.assertEqual((help(), help.text), ("yes", "Helps."))
    def test_keep(self):
        self.assertEqual((keep("a", 1), keep("b", 2)), (1, 2))
        self.assertEqual(shop.PRICES, {"a": 1, "b": 2})
    def test_lambdas(self): self.assertEqual((first(1), second(1)), (2, 3))
    def test_lazy(self):
        import tax
        self.assertEqual(tax.tax(10), 1)
    async def test_later(self): self.assertEqual(await later(1), 2)
    def test_numbers(self): self.assertEqual((list(numbers(2)), list(STARTED)), ([0, 1], [0, 1]))
    def test_reload(self): self.assertEqual(importlib.reload(shop).add(2, 3), 5)
    def test_root(self): self.assertEqual(root(4), 2)
    def test_words(self): self.assertEqual(words(), "yes")
`

const tax = 'def tax(a):\n    return a // 100\n'

type Change = { name: string; test: string; file?: string; from: string; to: string; isQuick: boolean }

/** Changes that fix nothing yet, so that it shows whether they were loaded anew; and what the test makes of them. */
const changes: Change[] = [
  { name: 'a function', test: 'add', from: 'a - b', to: 'a * b', isQuick: true },
  { name: 'a function that a test loads again', test: 'reload', from: 'a - b', to: 'a * b', isQuick: true },
  { name: 'a method of a dataclass', test: 'box', from: 'self.items) + 1', to: 'self.items)', isQuick: true },
  { name: 'a property', test: 'box', from: 'len(self.items) - 1', to: 'len(self.items)', isQuick: true },
  { name: 'a static method', test: 'box', from: '"bag"', to: '"box"', isQuick: true },
  { name: 'a method with super()', test: 'big', from: 'super().total() * 2', to: 'super().total() + 2', isQuick: true },
  {
    name: 'a cached function',
    test: 'cached',
    from: 'a + 2\n\n\ndef counter',
    to: 'a + 3\n\n\ndef counter',
    isQuick: true,
  },
  { name: 'a nested function', test: 'counter', from: 'step + 1', to: 'step + 2', isQuick: true },
  { name: 'what keeps things in its module', test: 'keep', from: 'price + 1', to: 'price + 2', isQuick: true },
  { name: 'an async function', test: 'later', from: 'a - 1', to: 'a - 2', isQuick: true },
  {
    name: 'the second of two lambdas',
    test: 'lambdas',
    from: 'lambda a: a + 1\n',
    to: 'lambda a: a + 3\n',
    isQuick: true,
  },
  { name: 'a file that only the test loads', test: 'lazy', file: 'tax.py', from: '100', to: '20', isQuick: true },
  {
    name: 'an added line',
    test: 'words',
    from: '    return "no"\n\n\ndef doc',
    to: '    a = 1\n    return a\n\n\ndef doc',
    isQuick: true,
  },
  { name: 'what uses an imported module', test: 'root', from: 'sqrt(a) + 1', to: 'sqrt(a) + 2', isQuick: true },
  { name: 'a constant', test: 'base', from: 'LIMIT = 10', to: 'LIMIT = 12', isQuick: false },
  {
    name: 'a function that ran while it was loaded',
    test: 'base',
    from: 'return LIMIT',
    to: 'return 12',
    isQuick: false,
  },
  { name: 'a default', test: 'default', from: 'by=2', to: 'by=3', isQuick: false },
  { name: 'a field', test: 'box', from: 'size: int = 3', to: 'size: int = 2', isQuick: false },
  { name: 'a decorator', test: 'cached', from: '@functools.lru_cache', to: '@functools.cache', isQuick: false },
  { name: 'a generator that is waiting', test: 'numbers', from: 'n + 1', to: 'n + 2', isQuick: false },
  { name: 'a docstring', test: 'help', from: 'Helps.', to: 'Help', isQuick: false },
  { name: 'a parameter', test: 'add', from: 'add(a, b)', to: 'add(b, a)', isQuick: false },
  {
    name: 'a function whose code was copied',
    test: 'copy',
    from: 'a + 2\n\n\nfirst',
    to: 'a + 1\n\n\nfirst',
    isQuick: false,
  },
  { name: 'no program', test: 'add', from: 'a - b', to: 'a -', isQuick: false },
]

async function open(files: Record<string, string>): Promise<Sandbox> {
  const sandbox = await provider.create({ id: `bench-${++made}`, limits })
  for (const [file, text] of Object.entries(files)) {
    await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  }
  await installTools(sandbox)
  return sandbox
}

let made = 0

function openBench(sandbox: Sandbox, runner: string, files: string[]): Promise<Bench> {
  const suite = { language: 'python', runner, python: '/usr/bin/python3', folder: '' } as Suite
  return Bench.open(sandbox, suite, files, signal)
}

async function find(command: string): Promise<boolean> {
  await using sandbox = await open({})
  return (await sandbox.exec({ shell: command, timeoutMs: 10_000 }).result).exitCode === 0
}

const runners = {
  unittest: (await find('/usr/bin/python3 --version')) ? false : 'there is no python3 in the sandbox',
  pytest: (await find('/usr/bin/python3 -c "import pytest"')) ? false : 'there is no pytest in the sandbox',
}

function jobOf(file: string, name: string, candidate: BenchJob['candidate']): BenchJob {
  const names = [name]
  return { files: [{ file, names }], candidate, isCovering: false, stopsAt: 'failure', testMs: 2_000, totalMs: 20_000 }
}

function verdicts({ tests }: BenchAnswer) {
  return tests.map(({ name, isPassing }) => ({ name, isPassing }))
}

/** The file is asked for often enough to be held. */
async function warm(bench: Bench, job: BenchJob): Promise<void> {
  for (let at = 0; at < 3; at++) await bench.run(job)
}

/** That it says the same as a fresh load; and whether it said so without one, which at times is made to compare. */
async function tryQuick(bench: Bench, job: BenchJob): Promise<BenchAnswer & { isQuick: boolean }> {
  const fresh = await bench.run({ ...job, isCovering: true })
  const answers = [await bench.run(job), await bench.run(job)]
  for (const answer of answers) assert.deepEqual(verdicts(answer), verdicts(fresh))
  return { ...fresh, isQuick: answers.some((answer) => answer.isQuick) }
}

for (const runner of ['unittest', 'pytest'] as const) {
  test(`${runner} says of each change what it says where all is loaded anew`, { skip: runners[runner] }, async (t) => {
    const sources: Record<string, string> = { 'shop.py': shop, 'tax.py': tax }
    await using sandbox = await open({ ...sources, 'test_shop.py': testShop })
    await using bench = await openBench(sandbox, runner, ['test_shop.py'])
    const nameOf = (name: string) => `ShopTest${runner === 'pytest' ? '::' : '.'}test_${name}`
    await warm(bench, jobOf('test_shop.py', nameOf('add'), { file: 'shop.py', source: shop.replace('a - b', 'a * b') }))
    // Which code is exchanged has nothing to do with the runner.
    const some = runner === 'pytest' ? changes.filter(({ test }) => ['add', 'reload', 'later'].includes(test)) : changes
    for (const { name, test: named, file = 'shop.py', from, to, isQuick } of some) {
      await t.test(name, async () => {
        assert.equal(sources[file]!.split(from).length, 2, from)
        const source = sources[file]!.replace(from, () => to)
        const answer = await tryQuick(bench, jobOf('test_shop.py', nameOf(named), { file, source }))
        assert.equal(answer.tests.length, 1)
        assert.equal(answer.isQuick, isQuick && !answer.tests[0]!.isPassing)
      })
    }
    await t.test('one that is right, which is loaded anew', async () => {
      const source = shop.replace('a - b', 'a + b')
      const answer = await tryQuick(bench, jobOf('test_shop.py', nameOf('add'), { file: 'shop.py', source }))
      assert.deepEqual(verdicts(answer), [{ name: nameOf('add'), isPassing: true }])
    })
  })
}

const add = 'def add(a, b):\n    return a - b\n'
const testAdd = (head: string, left = 'add(1, 2)') =>
  `import unittest\nfrom add import add\n${head}\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(${left}, 3)\n`

/** Test files, by what they do while they are loaded, and whether they can be held in a process that is forked. */
const loadings: { name: string; text: string; isQuick: boolean }[] = [
  {
    name: 'start a thread',
    isQuick: false,
    text: testAdd('import threading, time\nthreading.Thread(target=time.sleep, args=[60], daemon=True).start()\n'),
  },
  {
    name: 'leave a file open',
    isQuick: false,
    text: testAdd('FILE = open("add.py")\n', 'add(1, 2) + len(FILE.read()) * 0'),
  },
  {
    name: 'start a program',
    isQuick: false,
    text: testAdd('import subprocess\nCHILD = subprocess.Popen(["sleep", "60"])\n'),
  },
  { name: 'share memory', isQuick: false, text: testAdd('import mmap\nMAP = mmap.mmap(-1, 100)\n') },
  { name: 'end the watch', isQuick: false, text: testAdd('import sys\nsys.setprofile(None)\n') },
  {
    name: 'set the dice',
    isQuick: true,
    text: testAdd('import random\nrandom.seed(7)\n', 'add(1, 2) + 1 - (random.randrange(1000) != 331)'),
  },
  {
    name: 'need what only the guard of a program does',
    isQuick: true,
    text: testAdd('if __name__ == "__main__":\n    raise SystemExit(1)\n'),
  },
  {
    name: 'show addresses in a way of their own',
    isQuick: true,
    text: testAdd(
      'class Thing:\n    def __repr__(self):\n        return f"<Thing 0x{id(self):X} of {id(self)}>"\n',
      '[add(1, 2), Thing()]',
    ),
  },
  {
    name: 'change the environment and the folder',
    isQuick: true,
    text: testAdd(
      'import os\nos.environ["ADD"] = "1"\n',
      'add(1, 2) if os.environ.pop("ADD") and not os.chdir("/") else 3',
    ),
  },
]

test('a recursion without end is shown in the words of Python', { skip: runners.pytest }, async () => {
  const text = 'def deep(n):\n    return deep(n + 1)\n\n\ndef test_deep():\n    assert deep(0) == 1\n'
  await using sandbox = await open({ 'test_deep.py': text })
  await using bench = await openBench(sandbox, 'pytest', ['test_deep.py'])
  const { tests } = await bench.run(jobOf('test_deep.py', 'test_deep', null))
  assert.match(tests[0]!.error ?? '', /Previous line repeated \d+ more times[^]*RecursionError: /)
})

for (const [what, text] of [
  ['does not load', 'import nothing_of_this_name\n'],
  ['ends its process', 'import os\n\n\ndef test_end():\n    os._exit(3)\n'],
] as const)
  test(`a file that ${what} is asked again and again, and fails each time`, { skip: runners.pytest }, async () => {
    await using sandbox = await open({ 'add.py': add, 'test_end.py': text })
    await using bench = await openBench(sandbox, 'pytest', ['test_end.py'])
    for (let time = 1; time <= 6; time++) {
      const candidate = { file: 'add.py', source: `${add}# ${time}\n` }
      const { tests, isQuick } = await bench.run(jobOf('test_end.py', 'test_end', candidate))
      assert.deepEqual([isQuick, tests.length > 0, tests.some(({ isPassing }) => isPassing)], [false, true, false])
    }
  })

test('a test that stops the clock and never ends is ended all the same', { skip: runners.unittest }, async () => {
  const text = `import time


def test_stop():
    time.monotonic = time.perf_counter = lambda: 0.0
    while True:
        pass
`
  await using sandbox = await open({ 'test_stop.py': text })
  await using bench = await openBench(sandbox, 'unittest', ['test_stop.py'])
  const { tests, timedOut } = await bench.run({ ...jobOf('test_stop.py', 'test_stop', null), testMs: 300 })
  assert.match(tests[0]!.error ?? '', /timed out after 0\.3 s/)
  assert.ok(tests[0]!.ms < 20_000 && !timedOut)
})

test('a test gets the time that it takes in a process of its own', { skip: runners.unittest }, async () => {
  const text = `import time
from add import add


def test_add():
    time.sleep(0.3)
    assert add(1, 2) == 3
`
  await using sandbox = await open({ 'add.py': add, 'test_add.py': text })
  await using bench = await openBench(sandbox, 'unittest', ['test_add.py'])
  const job = (source: string) => ({ ...jobOf('test_add.py', 'test_add', { file: 'add.py', source }), testMs: 100 })
  await warm(bench, job(`${add}# Nothing is changed.\n`))
  const { tests } = await bench.run(job(add.replace('-', '+')))
  assert.deepEqual(verdicts({ tests } as BenchAnswer), [{ name: 'test_add', isPassing: true }])
})

test('tests are held only where a fork is as good as a fresh process', { skip: runners.unittest }, async (t) => {
  const files = Object.fromEntries(loadings.map(({ text }, at) => [`test_${at}.py`, text]))
  await using sandbox = await open({ 'add.py': add, ...files })
  for (const [at, { name, isQuick }] of loadings.entries()) {
    await t.test(`those that ${name}`, async () => {
      // Each has a bench of its own: one holds no more than eight files.
      await using bench = await openBench(sandbox, 'unittest', [`test_${at}.py`])
      const job = jobOf(`test_${at}.py`, 'AddTest.test_add', { file: 'add.py', source: add.replace('a - b', 'a * b') })
      await warm(bench, job)
      const answer = await tryQuick(bench, job)
      const isPassing = answer.tests[0]!.isPassing
      // Without the dice that were set, the quick way would say that it fails.
      assert.equal(isPassing, name === 'set the dice')
      assert.equal(answer.isQuick, isQuick && !isPassing)
    })
  }
})

const pytestFiles = {
  'add.py': `${add}\n\ndef cases():\n    return [(1, 2, 3), (2, 2, 4)]\n`,
  'conftest.py': `import pytest\n\n
@pytest.fixture(scope="session")
def basket():
    return []

@pytest.fixture(autouse=True)
def filled(basket):
    basket.append(len(basket))
    yield
    basket.append("done")
`,
  'test_add.py': `import pytest
from add import add, cases

@pytest.mark.parametrize("a, b, sum", cases())
def test_sums(a, b, sum):
    assert add(a, b) == sum

def test_basket(basket, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    print(add(1, 1))
    assert (basket, capsys.readouterr().out) == ([0], "2\\n")

def test_words(caplog):
    import logging
    logging.warning("%s", add(1, 1))
    assert caplog.messages == ["2"]

@pytest.mark.xfail
def test_expected():
    assert add(1, 1) == 2

@pytest.mark.skip
def test_skipped():
    assert False

@pytest.mark.filterwarnings("error")
def test_warning():
    import warnings
    warnings.warn("so")
    assert add(1, 1) == 2
`,
}

test(
  'fixtures, marks and parameters of pytest count in a held process as well',
  { skip: runners.pytest },
  async (t) => {
    await using sandbox = await open(pytestFiles)
    await using bench = await openBench(sandbox, 'pytest', ['test_add.py'])
    const change = (from: string, to: string) => ({ file: 'add.py', source: pytestFiles['add.py'].replace(from, to) })
    const tryOne = (name: string, candidate: BenchJob['candidate']) =>
      tryQuick(bench, jobOf('test_add.py', name, candidate))
    const wrong = change('a - b', 'a * b')
    await warm(bench, jobOf('test_add.py', 'test_words', wrong))
    for (const name of ['test_sums[1-2-3]', 'test_basket', 'test_words', 'test_warning']) {
      await t.test(`${name} fails in both`, async () => {
        const answer = await tryOne(name, wrong)
        assert.deepEqual([verdicts(answer), answer.isQuick], [[{ name, isPassing: false }], true])
      })
    }
    for (const name of ['test_expected', 'test_skipped']) {
      await t.test(`${name} tells nothing in both`, async () => {
        assert.deepEqual((await tryOne(name, wrong)).tests, [])
      })
    }
    await t.test('what ran while the tests were collected is loaded anew', async () => {
      const answer = await tryOne('test_sums[2-2-4]', change('(1, 2, 3)', '(1, 2, 4)'))
      assert.deepEqual([verdicts(answer), answer.isQuick], [[{ name: 'test_sums[2-2-4]', isPassing: false }], false])
    })
  },
)
