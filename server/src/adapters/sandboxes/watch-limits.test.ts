/** The limits of a bubblewrap sandbox, whoever holds them. */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, test } from 'node:test'
import { isAlive, processTree, sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import { openBubblewrap } from './bubblewrap.ts'

const MiB = 1024 * 1024
const COMMAND_MS = 20_000

const { folder, provider, firstPid } = testSandboxes()

test('holds a fork bomb, while others go on', async () => {
  const bomb = await provider.create({ id: 'bomb', limits: { ...testLimits, processes: 60 } })
  const neighbour = await provider.create({ id: 'neighbour', limits: testLimits })
  const running = bomb.exec({ shell: ':(){ :|:& };:; sleep 600', timeoutMs: COMMAND_MS })
  const first = firstPid('bomb')
  await until(() => processTree(first).length >= 40, 'the bomb is going off')
  assert.equal(await sayIn(neighbour, 'echo fine'), 'fine')
  assert.ok(processTree(first).length <= 80)
  const startedAt = performance.now()
  await bomb.stop('enough')
  assert.ok(performance.now() - startedAt < COMMAND_MS)
  assert.ok(!isAlive(first))
  assert.equal((await running.result).reason, 'sandbox_lost')
})

test('ends a fork bomb at the time limit of its command, and the sandbox goes on', async () => {
  const bomb = await provider.create({ id: 'bomb', limits: { ...testLimits, processes: 60 } })
  const result = await bomb.exec({ shell: ':(){ :|:& };:; sleep 600', timeoutMs: 500 }).result
  assert.equal(result.reason, 'timeout')
  assert.equal(await sayIn(bomb, "ls /proc | grep -c '^[0-9]' | xargs test 10 -ge && echo quiet"), 'quiet')
  await bomb.stop('done')
})

test('says when the process limit is why a command cannot start', async () => {
  const small = await provider.create({ id: 'small', limits: { ...testLimits, processes: 40 } })
  let complaint = ''
  const onOutput = (_stream: string, chunk: Uint8Array) => (complaint += Buffer.from(chunk).toString())
  const shell = 'while sleep 600 & do :; done; sleep 600'
  const filling = small.exec({ shell, timeoutMs: COMMAND_MS, onOutput })
  await until(() => complaint.includes('Resource temporarily unavailable'), 'it is full')
  assert.match(await sayIn(small, 'true'), /cannot start bash: the process limit of the sandbox is reached/)
  filling.kill()
  assert.equal((await filling.result).reason, 'killed')
  assert.equal(await sayIn(small, 'echo again'), 'again')
  await small.stop('done')
})

test('bounds shared memory, one file, and open files', async () => {
  const sandbox = await provider.create({ id: 'bounded', limits: testLimits })
  assert.match(
    await sayIn(sandbox, 'head -c 200M /dev/zero > /dev/shm/large; stat -c %s /dev/shm/large; rm /dev/shm/large'),
    /No space left[\s\S]*\n134217728$/,
  )
  assert.match(await sayIn(sandbox, 'truncate -s 600M huge; ls huge'), /File (too large|size limit exceeded)/)
  const open = 'my @files; while (open(my $file, "<", "/dev/null")) { push @files, $file } print scalar(@files), " $!"'
  assert.match(await sayIn(sandbox, `perl -e '${open}'`), /^40\d\d Too many open files$/)
})

test('ends what holds more descriptors than a sandbox may, and keeps serving meanwhile', async () => {
  const hoarder = await provider.create({ id: 'hoarder', limits: { ...testLimits, processes: 200 } })
  const open = 'my @files; for (1 .. 4000) { open(my $file, "<", "/dev/null"); push @files, $file }'
  const late = monitorEventLoopDelay()
  late.enable()
  const shell = `perl -e '${open} for (1 .. 100) { if (!fork) { sleep 600 } } sleep 600'`
  assert.equal((await hoarder.exec({ shell, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
  assert.deepEqual(await hoarder.closed, { reason: 'open_files' })
  late.disable()
  assert.ok(late.max < 1e9, `the service stood still for ${late.max / 1e6} ms`)
})

test('ends a sandbox whose use cannot be known', async () => {
  const blind = openBubblewrap({ folder, meter: { look: () => Promise.reject(new Error('no')) } })
  const sandbox = await blind.create({ id: 'blind', limits: testLimits })
  assert.deepEqual(await sandbox.closed, { reason: 'unmeasured' })
})

describe('that take their time', { concurrency: true }, () => {
  const hog = (mebibytes: number) => `perl -e 'my $held = "x" x (${mebibytes} << 20); print "HELD\\n"; sleep 2'`

  test('takes one command that wants too much memory, and not the sandbox if it need not', async () => {
    const small = await provider.create({ id: 'hog', limits: { ...testLimits, memoryBytes: 256 * MiB } })
    const result = await small.exec({ shell: hog(1200), timeoutMs: COMMAND_MS }).result
    assert.doesNotMatch(result.stdout.toString(), /HELD/)
    if (small.enforcement.memory === 'kernel') {
      assert.equal(result.reason, 'out_of_memory')
      assert.equal(await sayIn(small, 'echo still here'), 'still here')
    } else assert.ok(result.exitCode !== 0, 'it was ended')
    await small.stop('done')
  })

  test('counts the memory of all processes together', async () => {
    const small = await provider.create({ id: 'hogs', limits: { ...testLimits, memoryBytes: 300 * MiB } })
    const shell = `for i in 1 2 3 4 5 6; do ${hog(100)} & done; wait; exit 1`
    const result = await small.exec({ shell, timeoutMs: COMMAND_MS }).result
    assert.equal(result.reason, small.enforcement.memory === 'kernel' ? 'out_of_memory' : 'sandbox_lost')
    if (small.enforcement.memory !== 'kernel') assert.deepEqual(await small.closed, { reason: 'out_of_memory' })
    await small.stop('done')
  })

  test('ends as disk_full when its files take more than they may', async () => {
    const small = await provider.create({ id: 'disk', limits: { ...testLimits, diskBytes: 40 * MiB } })
    const shell = 'for i in 1 2 3 4 5 6 7 8 9; do head -c 8M /dev/zero > file$i; done; sleep 600'
    assert.equal((await small.exec({ shell, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
    assert.deepEqual(await small.closed, { reason: 'disk_full' })
  })

  test('counts what lies in a folder that its owner may not enter', async () => {
    const small = await provider.create({ id: 'closed', limits: { ...testLimits, diskBytes: 40 * MiB } })
    const shell = 'mkdir a; for i in 1 2 3 4 5 6 7 8 9; do head -c 8M /dev/zero > a/$i; done; chmod 0 a; sleep 600'
    assert.equal((await small.exec({ shell, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
    assert.deepEqual(await small.closed, { reason: 'disk_full' })
  })

  test('counts right while thousands of files change their long names', async () => {
    const small = await provider.create({ id: 'renames', limits: { ...testLimits, diskBytes: 100 * MiB } })
    const dig = 'for (1 .. 12) { my $name = "\\001" x 240; mkdir $name; chdir $name }'
    const make = 'for (1 .. 3000) { open(my $file, ">", "a$_") }'
    const rename = 'while (1) { for (1 .. 3000) { rename "a$_", "b$_" } for (1 .. 3000) { rename "b$_", "a$_" } }'
    const shell = `(mkdir d; cd d; perl -e '${dig} ${make} ${rename}') & sleep 2; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do head -c 8M /dev/zero > file$i; done; sleep 600`
    assert.equal((await small.exec({ shell, timeoutMs: 2 * COMMAND_MS }).result).reason, 'sandbox_lost')
    assert.deepEqual(await small.closed, { reason: 'disk_full' })
  })

  test('counts what is deleted and still open', async () => {
    const small = await provider.create({ id: 'deleted', limits: { ...testLimits, diskBytes: 40 * MiB } })
    const write =
      'my @files; for (1 .. 8) { open(my $file, ">", "gone"); unlink "gone"; push @files, $file; print $file "x" x (8 << 20) }'
    const shell = `perl -e '${write}; $_->flush for @files; print "written\\n"; sleep 600'`
    assert.equal((await small.exec({ shell, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
    assert.deepEqual(await small.closed, { reason: 'disk_full' })
  })

  test('keeps time from outside when the agent inside was frozen', async () => {
    const other = await provider.create({ id: 'frozen', limits: testLimits })
    const first = firstPid('frozen')
    const result = await other.exec({ shell: 'kill -STOP $PPID; sleep 600', timeoutMs: 300 }).result
    assert.equal(result.reason, 'sandbox_lost')
    assert.deepEqual(await other.closed, { reason: 'unresponsive' })
    assert.ok(!isAlive(first))
  })

  test('ends with all its processes when the agent inside was killed', async () => {
    const other = await provider.create({ id: 'killed', limits: testLimits })
    const first = firstPid('killed')
    const result = await other.exec({ shell: 'setsid sleep 600 & kill -9 $PPID; sleep 600', timeoutMs: COMMAND_MS })
      .result
    assert.equal(result.reason, 'sandbox_lost')
    assert.deepEqual(await other.closed, { reason: 'lost' })
    assert.ok(!isAlive(first))
  })
})
