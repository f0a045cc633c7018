/** Ways out through processes, their memory and their rights. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isAlive, processTree, sayIn, testLimits, until } from '#test/test-sandboxes.ts'
import { COMMAND_MS, openAttack } from './attack.ts'

const attack = await openAttack()
const { base, uid, isOfImage, hasOwnKernel, attacker, neighbour, openMore, attempt, attemptInPerl, firstPid } = attack
const EPERM = '1'
const ENOTTY = '25'
/** Whom gVisor runs as; its filter of calls is its own. */
const NOBODY = 65_534
const SECRET = 'S3CR3T-OF-ONE-COMMAND'

test('sees and signals the processes of others: there are none', async () => {
  assert.ok(Number(await attempt('echo /proc/[0-9]* | wc -w')) < 15)
  const pids = [process.pid, process.ppid, firstPid('neighbour')].join(' ')
  const text = await attempt(`for pid in ${pids}; do kill -9 $pid; done`)
  assert.equal(text.match(/No such process/g)?.length, 3)
  assert.ok(isAlive(firstPid('neighbour')))
})

test('kills everything that it can see, the agent that serves it too: only its own sandbox ends', async () => {
  await using suicidal = await openMore('suicidal')
  const { reason } = await suicidal.exec({ shell: 'kill -9 -1; sleep 600', timeoutMs: COMMAND_MS }).result
  assert.equal(reason, 'sandbox_lost')
  assert.deepEqual(await suicidal.closed, { reason: 'lost' })
  assert.equal(await sayIn(neighbour, 'echo fine'), 'fine')
})

test('opens memory, descriptors and environment of what serves it: refused', async () => {
  const text = await attempt(`for pid in 1 $PPID; do for file in mem environ fd/0 fd/1 maps; do
    (exec 3< /proc/$pid/$file) 2> /dev/null && echo "read $file of $pid"; (exec 3> /proc/$pid/$file) 2> /dev/null && echo "wrote $file of $pid"
    done; ls /proc/$pid/fd 2> /dev/null; chmod 755 /run/runwright/loader 2> /dev/null && echo changed; done; cat /run/runwright/loader 2>/dev/null | wc -c`)
  // gVisor runs no program that may not be read, so what serves is open there. It has no right that commands lack.
  if (hasOwnKernel) assert.doesNotMatch(text, /(read|wrote) mem|changed/)
  else assert.equal(text, '0')
})

test("looks for the service's environment in every process: it is nowhere", async () => {
  const text = await attempt("env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'")
  assert.match(text, /HOME=\/home\/agent/)
  assert.doesNotMatch(text, /CANARY|postgres:/)
})

test("looks for another command's secret afterwards, from a neighbour, and on the machine: it is in that command alone", async () => {
  const holding = attacker.exec({
    shell: 'echo $TOKEN; read line',
    interactive: true,
    env: { TOKEN: SECRET },
    timeoutMs: COMMAND_MS,
  })
  const listing = execFileSync('ps', ['axww', '-o', 'args'], { encoding: 'utf8' })
  assert.doesNotMatch(listing, new RegExp(SECRET))
  assert.equal(await sayIn(neighbour, `cat /proc/*/environ 2>/dev/null | grep -c ${SECRET.slice(0, 6)}`), '0')
  holding.write('go on\n')
  assert.match((await holding.result).stdout.toString(), new RegExp(SECRET))
  const after = await attempt(
    "env; for file in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $file; done 2>/dev/null; cat ~/.bash_history",
  )
  assert.doesNotMatch(after, new RegExp(SECRET))
})

test('opens namespaces, by programs and by calls: refused', async () => {
  const text = await attempt(
    `for kind in U n m p i u C T; do unshare -r$kind id; unshare -$kind id; done; unshare --time -Ur id
     nsenter -t 1 -m id; nsenter -t 1 -U id; bwrap --ro-bind / / id; setpriv --reuid 0 id; newgidmap $$ 0 0 1`,
  )
  // A kernel of their own gives them some, in which they are root of what was theirs.
  if (hasOwnKernel) {
    const secret = await attempt(
      `unshare -rm --propagation unchanged cat ${attack.secretFile} ${attack.folder}/neighbour/workspace/*`,
    )
    assert.match(secret, /No such file/)
    return
  }
  assert.doesNotMatch(text, /uid=/)
  const clone = process.arch === 'x64' ? 56 : 220
  for (const flag of [0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000])
    assert.equal(await attemptInPerl(`$! = 0; syscall(${clone}, ${flag} | 17, 0, 0, 0, 0); print $! + 0`), EPERM)
})

test('hides the flags of a clone in memory: that call does not exist', async () => {
  assert.match(await attemptInPerl('$! = 0; syscall(435, 0, 0); print "$!"'), /not implemented/)
})

test('becomes another user or group: refused', async () => {
  const text = await attemptInPerl(
    '$! = 0; $< = 0; print "uid $<\\n"; $> = 0; print "euid $>\\n"; $( = 0; print "gid ", (split " ", $()[0], "\\n"; $) = "0 0"; print "groups $)\\n"',
  )
  assert.doesNotMatch(text, /\b0\b/)
})

test('reads and changes the memory of others, by tracing and without: refused', async () => {
  const calls = process.arch === 'x64' ? { ptrace: 101, read: 310, write: 311 } : { ptrace: 117, read: 270, write: 271 }
  for (const [name, number] of Object.entries({ ...calls, getfd: 438 })) {
    const answer = await attemptInPerl(`$! = 0; syscall(${number}, 16, 2, 0, 0, 0, 0); print $! + 0`)
    if (hasOwnKernel) assert.notEqual(answer, '0', name)
    else assert.equal(answer, EPERM, name)
  }
  assert.doesNotMatch(await attempt('gdb -p 1 -batch; strace -p 1; cat /proc/1/mem | head -c 1 | wc -c'), /^1$/m)
})

test('speaks to the service over the descriptors of the agent: it talks nonsense, and loses its own sandbox alone', async () => {
  await using liar = await openMore('liar')
  const shell = `for file in /proc/$PPID/fd/*; do head -c 100000 /dev/urandom > $file; done; sleep 600`
  const { reason } = await liar.exec({ shell, timeoutMs: 2_000 }).result
  assert.ok(['sandbox_lost', 'timeout'].includes(reason), reason)
  assert.equal(await attempt('echo fine'), 'fine')
})

test('is handed descriptors that are not its own: none, also of those that the service was left by its starter', async () => {
  const listDescriptors = 'for file in /proc/[0-9]*/fd/*; do echo $file $(readlink $file); done'
  // Somebody starts the service with a file of theirs open, as shells and supervisors do.
  const program = `
    import { openUnderTest } from ${JSON.stringify(import.meta.resolve('./attack.ts'))}
    const provider = openUnderTest({ folder: process.argv[1] })
    const sandbox = await provider.create({ id: 'handed', limits: ${JSON.stringify(testLimits)} })
    const { output } = await sandbox.exec({ shell: ${JSON.stringify(listDescriptors)}, timeoutMs: 20000 }).result
    console.log(output.toString())
    await provider.remove('handed')`
  const shell = 'exec 40>"$3" 200>"$3"; exec "$0" --input-type=module -e "$1" "$2"'
  const words = [process.execPath, program, path.join(base, 'handed'), path.join(base, 'file-of-the-starter')]
  const listed = execFileSync('bash', ['-c', shell, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  assert.match(listed, /fd\/0 /)
  assert.doesNotMatch(listed, /fd\/(40|200) |file-of-the-starter/)
})

test("types into a terminal of the machine's, or finds one: refused, and there is none", async () => {
  for (const request of [0x5412, 0x541c, 0x5423])
    assert.equal(
      await attemptInPerl(`$! = 0; my $key = "x" x 8; ioctl(STDIN, ${request}, $key); print $! + 0`),
      hasOwnKernel ? ENOTTY : EPERM,
    )
  assert.match(await attempt('echo x > /dev/tty'), /No such device|Input\/output error/)
})

test("shares memory and queues with the machine's programs: it has its own", async () => {
  const id = /\d+/.exec(execFileSync('ipcmk', ['-M', '4096'], { encoding: 'utf8' }))![0]
  try {
    assert.equal(await attempt("ipcs -m | grep -c '^0x'"), '0')
    assert.equal(await attempt('find /dev/shm /dev/mqueue -mindepth 1 2>/dev/null'), '')
  } finally {
    execFileSync('ipcrm', ['-m', id])
  }
})

test('lowers what it is taken for when memory runs out, or raises its priority: refused', async () => {
  const ofMachine = () => readFileSync(`/proc/${firstPid('attacker')}/oom_score_adj`, 'utf8')
  const before = ofMachine()
  const text = await attempt(
    'echo -1000 > /proc/self/oom_score_adj; nice -n -10 true; chrt -f 10 true; ionice -c 1 true; ulimit -n 100000',
  )
  assert.equal(ofMachine(), before)
  // In a kernel of their own they may order themselves as they like.
  if (!hasOwnKernel) assert.equal(text.match(/denied|not permitted/gi)?.length, 5, text)
})

test('is, seen from the machine, a user without rights in isolation of its own', async () => {
  const running = attacker.exec({ shell: 'sleep 600', timeoutMs: COMMAND_MS })
  const first = firstPid('attacker')
  await until(() => processTree(first).length >= 3, 'the command runs')
  // Engines of root give containers no users of their own, nor all of them a view of control groups; gVisor gives its kernel users
  // and keeps numbers of processes to itself.
  const kinds = [
    'mnt',
    'net',
    'ipc',
    'uts',
    ...(hasOwnKernel ? ['user'] : ['pid', ...(isOfImage ? [] : ['user', 'cgroup'])]),
  ]
  for (const pid of processTree(first)) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    assert.notEqual(uid, 0)
    const who = hasOwnKernel ? NOBODY : uid
    assert.match(status, new RegExp(`^Uid:\\t${who}\\t${who}\\t${who}\\t${who}$`, 'm'))
    assert.match(status, /^NoNewPrivs:\s+1$/m)
    for (const kind of kinds)
      assert.notEqual(readlinkSync(`/proc/${pid}/ns/${kind}`), readlinkSync(`/proc/self/ns/${kind}`), kind)
    if (pid === first && !hasOwnKernel) continue
    assert.match(status, /^Seccomp:\s+2$/m)
    // What rights gVisor has are over users of its own.
    if (hasOwnKernel) continue
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      assert.match(status, new RegExp(`^${set}:\\s+0{16}$`, 'm'))
  }
  running.kill()
  await running.result
})
