// How many changes of Python the repair engine tries in a second, where tests are kept loaded, against the same tests
// loaded anew for each change, as it was before. `node bin/node24.mjs bench/repair-python.ts [rounds]`; rounds alternate.
import { chmodSync, mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { Bench, type BenchJob } from '../server/src/adapters/engines/repair/bench.ts'
import { installTools } from '../server/src/adapters/engines/repair/install-tools.ts'
import type { Suite } from '../server/src/adapters/engines/repair/suite.ts'
import { openBubblewrap } from '../server/src/adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'

const MiB = 1024 * 1024
const TESTS = 10
const ROUND_MS = 2_000
const rounds = Number(process.argv[2] ?? 5)

const source = `import time

LIMIT = 1


def add(a, b):
    time.sleep(0.001)
    return a + b
`
const numbers = Array.from({ length: TESTS }, (_, at) => at)
/** As people write them for each of the two. */
const testFiles = {
  pytest: `from add import add\n\n${numbers.map((at) => `def test_${at}():\n    assert add(${at}, 1) == ${at + 1}\n`).join('\n')}`,
  unittest:
    'import unittest\nfrom add import add\n\n\nclass AddTest(unittest.TestCase):\n' +
    numbers.map((at) => `    def test_${at}(self):\n        self.assertEqual(add(${at}, 1), ${at + 1})\n`).join(''),
}

/** Both fail in the last test alone. What runs while a file is loaded, such as its constants, is always loaded anew. */
const changes = {
  kept: source.replace('a + b', `a + b * (a != ${TESTS - 1})`),
  anew: source.replace('a + b', `a + b * (a != ${TESTS - 1})`).replace('LIMIT = 1', 'LIMIT = 2'),
}

const folder = mkdtempSync(path.join(tmpdir(), 'repair-python-'))
chmodSync(folder, 0o711)
const provider = openBubblewrap({ folder: path.join(folder, 'sandboxes') })
try {
  for (const runner of ['pytest', 'unittest'] as const) console.log(await measure(runner))
} finally {
  await removeTree(folder)
}

async function measure(runner: keyof typeof testFiles): Promise<string> {
  const limits = { memoryBytes: 1024 * MiB, processes: 256, diskBytes: 256 * MiB, lifetimeMs: 600_000 }
  await using sandbox = await provider.create({ id: `python-${runner}`, limits })
  await sandbox.writeFile(`${sandbox.paths.workspace}/add.py`, Buffer.from(source))
  await sandbox.writeFile(`${sandbox.paths.workspace}/test_add.py`, Buffer.from(testFiles[runner]))
  await installTools(sandbox)
  const suite = { language: 'python', runner, python: '/usr/bin/python3', folder: '' } as Suite
  const { signal } = new AbortController()
  // As many as the engine opens.
  const benches = await Promise.all(
    Array.from({ length: 2 * availableParallelism() }, () => Bench.open(sandbox, suite, ['test_add.py'], signal)),
  )
  const counts = { kept: 0, anew: 0 }
  let quick = 0
  for (let round = -1; round < rounds; round++) {
    for (const kind of ['anew', 'kept'] as const) {
      const until = performance.now() + ROUND_MS
      const work = async (bench: Bench) => {
        while (performance.now() < until) {
          const answer = await bench.run(jobOf(changes[kind]))
          if (answer.tests.filter((test) => test.isPassing).length !== TESTS - 1)
            throw new Error('Not what it should say.')
          if (round < 0) continue
          counts[kind]++
          if (answer.isQuick) quick++
        }
      }
      await Promise.all(benches.map(work))
    }
  }
  for (const bench of benches) await bench[Symbol.asyncDispose]()
  const perSecond = (kind: 'kept' | 'anew') => (counts[kind] * 1000) / (rounds * ROUND_MS)
  return (
    `${runner}: ${perSecond('kept').toFixed(0)} a second with tests kept loaded (${quick} of ${counts.kept}), ` +
    `${perSecond('anew').toFixed(0)} where each loads them: ${(perSecond('kept') / perSecond('anew')).toFixed(1)} times`
  )
}

function jobOf(text: string): BenchJob {
  return {
    files: [{ file: 'test_add.py', names: null }],
    candidate: { file: 'add.py', source: text },
    isCovering: false,
    stopsAt: 'failure',
    testMs: 2_000,
    totalMs: 20_000,
  }
}
