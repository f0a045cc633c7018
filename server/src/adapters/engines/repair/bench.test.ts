import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testSandboxes } from '#test/test-sandboxes.ts'
import { Bench, type BenchJob } from './bench.ts'
import { installTools } from './install-tools.ts'
import { linesReached } from './lines-reached.ts'
import { isTimedOut, type Suite, type TestResult } from './suite.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 1024 * MiB, processes: 256, diskBytes: 256 * MiB, lifetimeMs: 180_000 }
const { provider } = testSandboxes()
const { signal } = new AbortController()

/** `spin` takes a third of a second of a processor; two tests never end. */
const projects = {
  javascript: {
    suite: { language: 'javascript', runner: 'node', folder: '', python: null },
    file: 'spin.test.js',
    tests: `import assert from 'node:assert/strict'
import { test } from 'node:test'
test('spins', () => {
  const { user, system } = process.cpuUsage()
  for (let used = 0; used < 330_000; ) {
    const now = process.cpuUsage()
    used = now.user - user + now.system - system
  }
})
test('never ends', () => { for (;;); })
test('never ends either', () => { for (;;); })
test('fails at length', () => { throw new Error('x'.repeat(5_000)) })
test('waits', () => new Promise((resolve) => setTimeout(resolve, 20_000)))
`,
  },
  python: {
    suite: { language: 'python', runner: 'unittest', folder: '', python: '/usr/bin/python3' },
    file: 'test_spin.py',
    tests: `import time
def test_spins():
    end = time.process_time() + 0.33
    while time.process_time() < end:
        pass
def test_never_ends():
    while True:
        pass
def test_never_ends_either():
    while True:
        pass
def test_fails_at_length():
    raise ValueError("x" * 5_000)
def test_waits():
    time.sleep(20)
`,
  },
}
const names = {
  javascript: ['spins', 'never ends', 'never ends either', 'waits', 'fails at length'],
  python: ['test_spins', 'test_never_ends', 'test_never_ends_either', 'test_waits', 'test_fails_at_length'],
}

for (const language of ['javascript', 'python'] as const) {
  describe(`tests of ${language}`, () => {
    const { suite, file, tests } = projects[language]
    const [spins, neverEnds, neither, waits, fails] = names[language]

    async function run(
      chosen: string[],
      { stopsAt = 'end', isBusy = false }: { stopsAt?: BenchJob['stopsAt']; isBusy?: boolean } = {},
    ) {
      await using sandbox = await provider.create({
        id: `bench-${language}-${chosen.length}-${isBusy ? 1 : 0}-${stopsAt}`,
        limits,
      })
      await sandbox.writeFile(`${sandbox.paths.workspace}/package.json`, Buffer.from('{ "type": "module" }'))
      await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(tests))
      await installTools(sandbox)
      await using bench = await Bench.open(sandbox, suite as unknown as Suite, [file], signal)
      const shell = `for i in $(seq ${6 * availableParallelism()}); do (while :; do :; done) & done; wait`
      const others = isBusy ? sandbox.exec({ shell, timeoutMs: 60_000 }) : null
      if (isBusy) await sleep(500)
      const job = {
        candidate: { file: 'other.py', source: '' },
        isCovering: false,
        stopsAt,
        testMs: 1_500,
        totalMs: 10_000,
      }
      const answer = await bench.run({ ...job, files: [{ file, names: chosen }] })
      others?.kill()
      await others?.result
      return answer.tests
    }
    const verdicts = (ran: TestResult[]) =>
      ran.map((one) => [one.name, one.isPassing ? 'passes' : isTimedOut(one) ? 'timed out' : one.error])

    test('pass on a machine where others have the cores', async () => {
      assert.deepEqual(verdicts(await run([spins!], { isBusy: true })), [[spins, 'passes']])
    })

    test('end where they do not end by themselves', async () => {
      const ended = await run([neverEnds!, neither!, waits!])
      assert.deepEqual(
        verdicts(ended),
        [neverEnds, neither, waits].map((name) => [name, 'timed out']),
      )
    })

    test('end with the first that does not end, where that is all that counts', async () => {
      const ended = await run([spins!, neverEnds!, neither!], { stopsAt: 'hang' })
      assert.deepEqual(verdicts(ended), [
        [spins, 'passes'],
        [neverEnds, 'timed out'],
      ])
    })

    test('tell where they failed, also beside a long message', async () => {
      const [failed] = await run([fails!])
      const line = tests.split('\n').findIndex((one) => one.includes('5_000')) + 1
      assert.deepEqual([...new Set(linesReached(failed!))], [line])
    })
  })
}
