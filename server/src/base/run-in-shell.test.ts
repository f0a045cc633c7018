import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/test-sandboxes.ts'
import { quoteWord } from './quote-word.ts'
import { runInShell, type ShellRequest } from './run-in-shell.ts'

const run = (script: string, more: Partial<ShellRequest> = {}) =>
  runInShell({
    script,
    timeoutMs: 20_000,
    graceMs: 200,
    outputBytesMax: 1_000_000,
    stderrCharactersMax: 100,
    ...more,
  })

/** The process of the shell itself, in the forks, too. */
const shellOf = async (script = 'echo $$') => Number((await run(script)).stdout.toString())

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

test('what commands print comes byte by byte, and how they ended', async () => {
  for (const text of ['', '\n', 'no end', 'an end\n', '\0\x01\xff'.repeat(100_000)]) {
    const printed = await run(`cat; printf '%s' bad >&2; exit 7`, { input: text.replaceAll('\0', 'x') })
    assert.equal(printed.stdout.toString(), text.replaceAll('\0', 'x'))
    assert.deepEqual([printed.exitCode, printed.reason, printed.stderr], [7, 'exited', 'bad'])
  }
  const zeros = await run('head -c 70000 /dev/zero')
  assert.ok(zeros.stdout.equals(Buffer.alloc(70_000)))
  assert.equal((await run('cat')).stdout.length, 0)
  assert.equal((await run('seq 1 1000 >&2')).stderr, (await run('seq 1 1000 | tail -c 100')).stdout.toString())
  assert.equal((await run('kill -9 "$(exec sh -c \'echo $PPID\')"')).exitCode, 137)
  assert.equal((await run('exec no-such-program')).exitCode, 127)
})

test('a word is read as it is, whatever is in it', async () => {
  const word = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code + 1)).join('') + '😀 $(id) `id` \\'
  const { stdout } = await run(`printf '%s' ${quoteWord(word)}; cat`, { input: word })
  assert.equal(stdout.toString(), word + word)
  await assert.rejects(run('cat', { input: 'a\0b' }), TypeError)
  await assert.rejects(run(`echo ${quoteWord('a\0b')}`), TypeError)
})

test('commands see nothing of our environment, and nothing of those before them in the same shell', async () => {
  const first = await run('pwd; env | cut -d= -f1 | sort; cd /tmp; export LEFT=1; ulimit -n 10; exec >&2; trap "" TERM')
  assert.deepEqual(
    first.stdout
      .toString()
      .split('\n')
      .filter((name) => !/^(OLDPWD|SHLVL|_|)$/.test(name)),
    ['/', 'PATH', 'PWD'],
  )
  const before = await shellOf()
  const next = await run('echo $$; pwd; echo "$LEFT$(ulimit -n)"')
  const [pid, folder, left] = next.stdout.toString().split('\n')
  assert.deepEqual([Number(pid), folder], [before, '/'])
  assert.notEqual(left, '110')
  assert.notEqual(left, '10')
})

test('what takes too long, prints too much or is not wanted any more ends with all that it started', async () => {
  const hang = 'echo $$; sleep 1000 | sleep 1001'
  const late = await run(hang, { timeoutMs: 200 })
  assert.deepEqual([late.exitCode, late.reason], [null, 'timeout'])
  const stop = new AbortController()
  const stopped = run(hang, { signal: stop.signal })
  stop.abort()
  assert.equal((await stopped).reason, 'aborted')
  await assert.rejects(run('echo', { signal: stop.signal }), { name: 'AbortError' })
  const cut = await run('echo $$; yes', { outputBytesMax: 50 })
  assert.deepEqual([cut.exitCode, cut.reason, cut.stdout.length], [null, 'cut', 50])
  for (const { stdout } of [late, cut]) await until(async () => isGone(parseInt(stdout.toString(), 10)), 'it is gone')
  // To the byte: a mark that comes after it counts for nothing.
  for (const [bytes, reason] of [
    [49, 'exited'],
    [50, 'exited'],
    [51, 'cut'],
    [70, 'cut'],
  ] as const)
    assert.equal((await run(`head -c ${bytes} /dev/zero`, { outputBytesMax: 50 })).reason, reason)
  assert.equal((await run('trap "" TERM; sleep 1000', { timeoutMs: 100 })).reason, 'timeout')
})

test('a shell that was killed answers, and the next commands have another one', async () => {
  const killed = await run('kill -9 $$')
  assert.deepEqual([killed.exitCode, killed.reason], [null, 'exited'])
  const pid = await shellOf()
  process.kill(pid, 'SIGKILL')
  await until(async () => isGone(pid), 'the shell is gone')
  assert.notEqual(await shellOf(), pid)
})

test('many run at once, and few shells stay', async () => {
  const pids = await Promise.all(Array.from({ length: 40 }, () => shellOf('sleep 0.1; echo $$')))
  assert.equal(new Set(pids).size, 40)
  await until(async () => pids.filter((pid) => !isGone(pid)).length === 8, 'others have ended')
  assert.ok(pids.includes(await shellOf()))
})
