/** What a sandbox could take from the machine and its neighbours: processes, memory, disk, time. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { isAlive, processTree, sayIn, until } from '#test/test-sandboxes.ts'
import { COMMAND_MS, openAttack } from './attack.ts'

const MiB = 1024 * 1024
const FOREVER = 'sleep 600'
const { folder, hasOwnKernel, provider, neighbour, openMore, attempt, attemptInPerl, firstPid } = await openAttack()

test('forks without end, in sessions of their own: held, and gone at once when it is stopped', async () => {
  const bomb = await openMore('bomb', { processes: 60 })
  const running = bomb.exec({ shell: `:(){ setsid nohup bash -c ':' & :|:& };:; ${FOREVER}`, timeoutMs: COMMAND_MS })
  const first = firstPid('bomb')
  await until(() => processTree(first).length >= 40, 'the bomb is going off')
  assert.ok(processTree(first).length <= 60 + 24)
  assert.equal(await sayIn(neighbour, 'echo fine'), 'fine')
  const pids = processTree(first)
  await bomb.stop('enough')
  assert.deepEqual(pids.filter(isAlive), [])
  assert.equal((await running.result).reason, 'sandbox_lost')
})

test('starts threads instead of processes: they count alike', async () => {
  const many = await openMore('threads', { processes: 60 })
  const program = `const { Worker } = require('node:worker_threads'); let begun = 0
    const next = () => { if (begun++ < 60) new Worker('setInterval(() => {}, 1e6)', { eval: true }).on('online', next).on('error', (error) => { console.log(error.code); process.exit(3) }); else { console.log('ALL'); process.exit(0) } }
    next()`
  const argv = [`${many.paths.nodeFolder}/node`, '-e', program]
  const { stdout } = await many.exec({ argv, timeoutMs: COMMAND_MS }).result
  // Nobody counts those of gVisor, which says so.
  if (many.enforcement.processes !== 'none') assert.doesNotMatch(stdout.toString(), /ALL/)
  await many.stop('done')
})

// One of gVisor takes more than a processor, and nobody holds its memory.
describe('that take their time', { concurrency: !hasOwnKernel }, () => {
  test('takes more memory than it may, in one process: that ends, and nobody else', async () => {
    const hog = await openMore('hog', { memoryBytes: 300 * MiB })
    const shell = `perl -e 'my @held; push @held, "x" x (1 << 20) for 1 .. 900; print "GOT\\n"; sleep 3'`
    const { stdout, reason, exitCode } = await hog.exec({ shell, timeoutMs: COMMAND_MS }).result
    if (hog.enforcement.memory !== 'none') {
      assert.doesNotMatch(stdout.toString(), /GOT/)
      assert.ok(reason !== 'exited' || exitCode !== 0)
    }
    assert.equal(await sayIn(neighbour, 'echo fine'), 'fine')
    await hog.stop('done')
  })

  test('takes it in many processes: their sum counts', async () => {
    const hogs = await openMore('hogs', { memoryBytes: 400 * MiB })
    const shell = `for i in 1 2 3 4 5 6; do perl -e 'my $held = "x" x (120 << 20); print "HELD\\n"; sleep 5' & done; wait`
    const { stdout } = await hogs.exec({ shell, timeoutMs: COMMAND_MS }).result
    assert.ok((stdout.toString().match(/HELD/g) ?? []).length < 6 || hogs.enforcement.memory !== 'kernel')
    if (hogs.enforcement.memory === 'polled') assert.deepEqual(await hogs.closed, { reason: 'out_of_memory' })
    await hogs.stop('done')
  })

  test('hides memory in files without a name: it counts, as memory or as disk', async () => {
    const hider = await openMore('hider', { memoryBytes: 300 * MiB, diskBytes: 200 * MiB })
    const memfdCreate = process.arch === 'x64' ? 319 : 279
    const program = `my @files; for my $n (1 .. 6) {
      my $name = "hidden"; my $fd = syscall(${memfdCreate}, $name, 0); open(my $file, ">&=", $fd) or die $!;
      push @files, $file; print $file "x" x (100 << 20) or die $!; $file->flush } print "HELD\\n"; sleep 600`
    const { stdout, reason } = await hider.exec({
      argv: ['perl', '-MIO::Handle', '-e', program],
      timeoutMs: COMMAND_MS,
    }).result
    assert.ok(!stdout.toString().includes('HELD') || reason === 'sandbox_lost', reason)
    await hider.stop('done')
  })

  test('fills shared memory: it ends where a quarter of its memory does', async () => {
    const text = await attempt('head -c 2G /dev/zero 2>&1 > /dev/shm/large; wc -c < /dev/shm/large; rm /dev/shm/large')
    assert.match(text, /No space left/)
    assert.equal(text.split('\n').at(-1), String(128 * MiB))
  })

  test('writes one huge file, or claims one with holes: too large', async () => {
    const text = await attempt(
      'truncate -s 1T huge; fallocate -l 100G huge; dd if=/dev/zero of=/tmp/big bs=1M seek=511 count=2; rm -f huge /tmp/big',
    )
    assert.equal(text.match(/too large|limit exceeded/gi)?.length, 3, text)
  })

  test('fills the disk with many files: the sandbox ends and says why', async () => {
    const full = await openMore('full', { diskBytes: 64 * MiB })
    const shell = `for i in 1 2 3 4 5 6 7 8 9; do for place in ~ /tmp .; do head -c 8M /dev/zero > $place/file$i; done; done; ${FOREVER}`
    assert.equal((await full.exec({ shell, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
    assert.deepEqual(await full.closed, { reason: 'disk_full' })
  })

  test('fills the disk with files that are empty: they count', async () => {
    const flood = await openMore('flood', { diskBytes: 8 * MiB })
    const program = `for my $n (1 .. 20_000) { open(my $file, ">", "empty$n") or exit 1 } sleep 600`
    assert.equal(
      (await flood.exec({ argv: ['perl', '-e', program], timeoutMs: COMMAND_MS }).result).reason,
      'sandbox_lost',
    )
    assert.deepEqual(await flood.closed, { reason: 'disk_full' })
  })

  test('digs ten thousand folders, with names of any bytes, closed and with holes in files: nothing of it stays', async () => {
    const digger = await openMore('digger')
    const program = `for my $n (1 .. 10_000) { my $name = "a\\n\\x01$n"; mkdir $name or die $!; chdir $name }
      open(my $file, ">", "hole"); truncate($file, 500 << 20); system("mkfifo pipe"); chmod(0, ".") or die $!; print "DUG"`
    const argv = ['perl', '-MIO::Handle', '-e', program]
    assert.match((await digger.exec({ argv, timeoutMs: COMMAND_MS }).result).output.toString(), /DUG$/)
    // The look at its files copes, and it goes on.
    assert.equal(await Promise.race([digger.closed, sayIn(digger, 'sleep 4; echo fine')]), 'fine')
    await digger.stop('done')
    await provider.remove('digger')
    assert.ok(!existsSync(path.join(folder, 'digger')))
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.removed-')),
      [],
    )
  })

  test('leaves pipes, sockets and devices where we read files: nothing waits for them', async () => {
    const trap = await openMore('trap')
    const make = `mkfifo pipe; ln -s pipe link; ln -s /dev/zero zero; ln -s loop loop; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket", Listen => 1)'`
    await sayIn(trap, make)
    for (const name of ['pipe', 'link', 'zero', 'loop', 'socket'])
      await assert.rejects(trap.readFile(name), { name: 'SandboxFileError' }, name)
    await assert.rejects(trap.writeFile('pipe', Buffer.from('x')), { name: 'SandboxFileError' })
    await trap.stop('done')
  })

  test('fills pipes without reading them: that is memory, and it is held', async () => {
    const plumber = await openMore('plumber', { memoryBytes: 300 * MiB })
    const program = `my @held; while (1) { pipe(my $r, my $w) or last; fcntl($w, 1031, 1 << 20); fcntl($w, 4, 2048); 1 while syswrite($w, "x" x 65536); push @held, $r, $w } print "FULL ", scalar(@held)`
    await plumber.exec({ argv: ['perl', '-e', program], timeoutMs: COMMAND_MS }).result
    assert.equal(await sayIn(neighbour, 'echo fine | cat'), 'fine')
    await plumber.stop('done')
  })

  test('prints without end in twenty commands at once: we keep most of our time', async () => {
    const loud = await openMore('loudest')
    const [startedAt, before] = [performance.now(), process.threadCpuUsage()]
    const shell = 'yes & yes >&2 & wait'
    const floods = Array.from({ length: 20 }, () => loud.exec({ shell, timeoutMs: 3_000, outputBytesMax: MiB }).result)
    await Promise.all(floods)
    const { user, system } = process.threadCpuUsage(before)
    const utilization = (user + system) / 1_000 / (performance.now() - startedAt)
    assert.ok(utilization < 0.6, `${utilization}`)
    await loud.stop('done')
  })

  const unseen = hasOwnKernel && 'Nobody looks into what gVisor holds open.'
  test('keeps what it deleted open: it counts', { skip: unseen }, async () => {
    const keeper = await openMore('keeper', { diskBytes: 40 * MiB })
    const program = `my @files; for (1 .. 8) { open(my $file, ">", "gone"); unlink "gone"; push @files, $file; print $file "x" x (8 << 20); $file->flush } sleep 600`
    const argv = ['perl', '-MIO::Handle', '-e', program]
    assert.equal((await keeper.exec({ argv, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
    assert.deepEqual(await keeper.closed, { reason: 'disk_full' })
  })

  test('stops the agent that serves it: time is kept from outside', async () => {
    const frozen = await openMore('frozen')
    const first = firstPid('frozen')
    const { reason } = await frozen.exec({ shell: `kill -STOP $PPID; ${FOREVER}`, timeoutMs: 300 }).result
    assert.equal(reason, 'sandbox_lost')
    assert.deepEqual(await frozen.closed, { reason: 'unresponsive' })
    assert.ok(!isAlive(first))
  })

  test('lives longer than it may: it ends from outside', async () => {
    const old = await openMore('old', { lifetimeMs: 500 })
    const { reason } = await old.exec({ shell: `trap '' TERM INT HUP; ${FOREVER}`, timeoutMs: COMMAND_MS }).result
    assert.equal(reason, 'sandbox_lost')
    assert.deepEqual(await old.closed, { reason: 'lifetime' })
  })

  test('prints without end: what is kept is bounded, and its time ends it', async () => {
    const loud = await openMore('loud')
    const result = await loud.exec({ shell: 'yes & yes >&2', timeoutMs: 4_000, outputBytesMax: MiB }).result
    assert.equal(result.reason, 'timeout')
    assert.ok(result.stdout.length <= MiB && result.stderr.length <= MiB && result.cutBytes > 0)
    await loud.stop('done')
  })

  test('ignores being told to end, in sessions and with names of others: its time takes the whole tree', async () => {
    const stubborn = await openMore('stubborn')
    const shell = `(setsid env -i bash -c 'trap "" TERM HUP; exec -a kworker sleep 987 & wait' &)
      (setsid nohup bash -c '(exec -a sshd sleep 986 &)' > /dev/null 2>&1 &); trap '' TERM; while :; do :; done`
    assert.equal((await stubborn.exec({ shell, timeoutMs: 1_000 }).result).reason, 'timeout')
    const left = `for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $file; echo; done 2>/dev/null | grep -cE '98[67]'`
    assert.equal(await sayIn(stubborn, left), '0')
    await stubborn.stop('done')
  })

  test('opens files without end: four thousand, and no more', async () => {
    const program =
      'my @files; while (open(my $file, "<", "/dev/null")) { push @files, $file } print scalar(@files), " $!"'
    assert.match(await attemptInPerl(program), /^40\d\d Too many open files$/)
  })

  test('locks memory, dumps a core, or queues messages: not allowed', async () => {
    assert.equal(await attempt('ulimit -l; ulimit -c; ulimit -Hc; ulimit -q'), '64\n0\n0\n0')
  })

  test('burns the processor: where the machine weighs, it weighs half', async () => {
    const busy = await openMore('busy')
    if (busy.enforcement.cpu === 'kernel') {
      const groups = readFileSync(`/proc/${firstPid('busy')}/cgroup`, 'utf8').split('\n')
      const own = groups
        .map((line) => /:(?:[^:]*\bcpu\b[^:]*|):(.*)$/.exec(line)?.[1])
        .filter((group) => /busy|libpod-|docker/.test(group ?? ''))
      const weights = own.flatMap((group) =>
        [`/sys/fs/cgroup/cpu${group}/cpu.shares`, `/sys/fs/cgroup${group}/cpu.weight`].map(readOrNull),
      )
      assert.ok(
        weights.some((weight) => weight === '512' || weight === '50'),
        `${own} ${weights}`,
      )
    }
    await busy.stop('done')
  })
})

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
