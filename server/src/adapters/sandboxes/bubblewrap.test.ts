/** The walls of a bubblewrap sandbox: what is tried inside, and what must come of it. The contract is `sandbox.test.ts`. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openBubblewrap } from './bubblewrap.ts'
import { readRecords } from './process-record.ts'
import { removeTree } from './remove-tree.ts'
import type { Sandbox, SandboxLimits } from './sandbox.ts'
import { refusedCalls, unknownCalls } from './seccomp.ts'

const MiB = 1024 * 1024
const limits: SandboxLimits = { memoryBytes: 512 * MiB, processes: 128, diskBytes: 512 * MiB, lifetimeMs: 120_000 }
const COMMAND_MS = 20_000
const EPERM = 1
const ENOSYS = 38
const isRoot = process.getuid?.() === 0

const base = mkdtempSync(path.join(tmpdir(), 'bubblewrap-test-'))
chmodSync(base, 0o711)
const folder = path.join(base, 'sandboxes')
const secretFile = path.join(base, 'service.key')
writeFileSync(secretFile, 'CANARY-OF-THE-SERVICE', { mode: 0o600 })

const provider = openBubblewrap({ folder })
let sandbox: Sandbox
let neighbour: Sandbox

before(async () => {
  sandbox = await provider.create({ id: 'attacker', limits })
  neighbour = await provider.create({ id: 'neighbour', limits })
  await neighbour.writeFile('private.txt', Buffer.from('CANARY-OF-THE-NEIGHBOUR'))
})
after(async () => {
  for (const id of await provider.list()) await provider.remove(id)
  await removeTree(base)
})

/** Both streams of what a line of shell says inside. */
async function attempt(shell: string, where = sandbox): Promise<string> {
  return (await where.exec({ shell, timeoutMs: COMMAND_MS }).result).output.toString().trim()
}

async function attemptInPerl(program: string): Promise<string> {
  const { output, exitCode } = await sandbox.exec({ argv: ['perl', '-e', program], timeoutMs: COMMAND_MS }).result
  assert.equal(exitCode, 0, `these tests need perl: ${output.toString()}`)
  return output.toString().trim()
}

/** What the kernel answers to system calls with nothing but zeros: the error's number, or 0. */
async function answersTo(calls: Record<string, readonly [number, number]>): Promise<Record<string, number>> {
  const column = process.arch === 'x64' ? 0 : 1
  const numbers = Object.entries(calls).filter(([, row]) => row[column] >= 0)
  const table = numbers.map(([name, row]) => `${name} => ${row[column]}`).join(', ')
  const program = `my %calls = (${table});
    for (sort keys %calls) { $! = 0; syscall($calls{$_}, 0, 0, 0, 0, 0); print "$_ ", $! + 0, "\\n" }`
  const lines = (await attemptInPerl(program)).split('\n')
  assert.equal(lines.length, numbers.length)
  return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name, code]) => [name, Number(code)]))
}

/** Its first process, as this machine numbers it. */
function firstPid(id: string): number {
  return readRecords(path.join(folder, id, 'processes.json')).at(-1)!.pid
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)![0] !== 'Z'
  } catch {
    return false
  }
}

function processTree(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(processTree)]
  } catch {
    return []
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + COMMAND_MS
  while (!isSo()) {
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`)
    await delay(10)
  }
}

describe('files', () => {
  test('shows nothing of the machine but system folders', async () => {
    assert.equal(
      await attempt('ls /'),
      [
        'bin',
        'dev',
        'etc',
        'home',
        'lib',
        'lib32',
        'lib64',
        'libx32',
        'proc',
        'run',
        'sbin',
        'tmp',
        'usr',
        'var',
        'workspace',
      ]
        .filter((name) => !/^lib.+|^s?bin|^lib$/.test(name) || existsSync(`/${name}`))
        .join('\n'),
    )
    assert.equal(await attempt('ls /home'), 'agent')
    assert.match(await attempt(`cat ${secretFile}`), /No such file/)
    assert.match(await attempt('cat /etc/shadow'), /No such file/)
  })

  test("does not show a neighbour's files, by whichever path", async () => {
    const file = path.join(folder, 'neighbour/workspace/private.txt')
    const said = await attempt(
      `for root in '' /proc/1/root /proc/self/root /proc/self/root/../../.. /proc/[0-9]*/cwd/../../..; do cat $root${file}; done
       find / -xdev -name private.txt`,
    )
    assert.doesNotMatch(said, /CANARY/)
    assert.match(said, /No such file|Permission denied/)
    assert.equal((await neighbour.readFile('private.txt')).toString(), 'CANARY-OF-THE-NEIGHBOUR')
  })

  test('reads a link to a file of the machine as it looks from inside', async () => {
    await attempt(`ln -sfn ${secretFile} link; ln -sfn /etc/shadow shadow`)
    await assert.rejects(sandbox.readFile('link'), { code: 'ENOENT' })
    await assert.rejects(sandbox.readFile('shadow'), { code: 'ENOENT' })
  })

  test('writes through a link to a system folder nowhere', async () => {
    const passwords = readFileSync('/etc/passwd', 'utf8')
    await attempt('rm -rf out; ln -s /etc out; ln -s /usr/bin bin')
    await assert.rejects(sandbox.writeFile('out/passwd', Buffer.from('mine')), { code: /EROFS|EACCES|EPERM/ })
    await assert.rejects(sandbox.writeFile('out/new', Buffer.from('mine')), { code: /EROFS|EACCES/ })
    await assert.rejects(sandbox.writeFile('bin/new', Buffer.from('mine')), { code: /EROFS|EACCES/ })
    assert.equal(readFileSync('/etc/passwd', 'utf8'), passwords)
  })

  test('lets nothing be written outside the three folders', async () => {
    const places =
      '/ /usr /usr/bin /usr/local/bin /etc /run /run/runwright /run/runwright/bin /dev /proc/sys /var /home'
    assert.equal(
      await attempt(`for place in ${places}; do touch $place/new 2>/dev/null && echo WROTE $place; done; echo done`),
      'done',
    )
    assert.equal(
      await attempt('for place in /workspace ~ /tmp /var/tmp /dev/shm; do touch $place/new || echo NOT $place; done'),
      '',
    )
  })

  test('mounts nothing, unmounts nothing, changes no root', async () => {
    const commands = [
      'mount -t tmpfs none /workspace',
      'mount -o remount,rw /usr',
      'mount --bind /proc /workspace',
      'umount /proc/kcore',
      'umount -l /proc/sys',
      'pivot_root /workspace /workspace',
      'chroot /workspace /bin/true',
    ]
    assert.equal(
      await attempt(
        commands.map((command) => `${command} 2>/dev/null && echo DID ${command};`).join(' ') + ' echo done',
      ),
      'done',
    )
  })

  test('has no devices of the machine, and makes none', async () => {
    const said = await attempt(
      'mknod disk b 254 0; mknod memory c 1 1; ls -d disk memory /dev/vda* /dev/sd* /dev/kvm /dev/fuse /dev/mem /dev/kmsg /dev/net /dev/vsock /dev/loop* 2>/dev/null; echo done',
    )
    assert.doesNotMatch(said, /^(disk|memory|\/dev\/\w+)$/m)
    assert.match(said, /done$/)
  })

  test('gains nothing by programs that change the user', async () => {
    const said = await attempt(
      'cp /usr/bin/id mine; chmod 6777 mine; ./mine -u; su -c id </dev/null; newuidmap $$ 0 0 1; grep NoNewPrivs /proc/self/status',
    )
    assert.match(said, /^1000$/m)
    assert.doesNotMatch(said, /uid=0/)
    assert.match(said, /NoNewPrivs:\s+1/)
  })

  test("turns none of the kernel's switches", async () => {
    const files = [
      'kernel/core_pattern',
      'kernel/modprobe',
      'vm/drop_caches',
      'kernel/hostname',
      'net/ipv4/ip_forward',
      'user/max_user_namespaces',
    ]
    assert.equal(
      await attempt(
        files.map((file) => `(exec 9>/proc/sys/${file}) 2>/dev/null && echo OPENED ${file};`).join(' ') + ' echo done',
      ),
      'done',
    )
    assert.equal(
      await attempt('ls -d /sys/* 2>/dev/null; mount | grep -cE "type (cgroup2?|sysfs|debugfs|securityfs|bpf)"'),
      '0',
    )
  })

  test('learns nothing about the machine from /proc', async () => {
    assert.equal(
      await attempt(
        'cat /proc/kcore /proc/kallsyms /proc/keys /proc/cmdline /proc/timer_list /proc/config.gz 2>/dev/null | wc -c',
      ),
      '0',
    )
    assert.match(await attempt('dmesg'), /not permitted|denied/)
  })

  test('links no file of the system into its own folders', async () => {
    const said = await attempt('ln /usr/bin/id linked; ln /run/runwright/bin/node linked; ls -d linked')
    assert.match(said, /cannot access 'linked'/)
  })

  test('cannot change what runs it', async () => {
    const said = await attempt(
      'echo x > /run/runwright/exec-agent.mjs; rm -f /run/runwright/exec-agent.mjs; cp /usr/bin/id /run/runwright/bin/node; echo x > /proc/1/exe; ls /run/runwright',
    )
    assert.match(said, /Read-only file system/)
    assert.match(said, /^exec-agent\.mjs$/m)
    assert.equal(await attempt('echo still works'), 'still works')
  })
})

describe('processes and the kernel', () => {
  test('sees its own processes only, and signals no other', async () => {
    assert.ok(Number(await attempt("ls /proc | grep -c '^[0-9]'")) < 15)
    assert.match(await attempt(`kill -9 ${process.pid} ${firstPid('neighbour')}`), /No such process/)
    assert.ok(isAlive(firstPid('neighbour')))
  })

  test("finds the service's environment nowhere", async () => {
    process.env.RUNWRIGHT_TEST_DATABASE = 'CANARY-IN-THE-ENVIRONMENT'
    const other = await provider.create({ id: 'environment', limits })
    delete process.env.RUNWRIGHT_TEST_DATABASE
    const said = await attempt("cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'", other)
    assert.match(said, /HOME=\/home\/agent/)
    assert.doesNotMatch(said, /CANARY/)
  })

  test('opens no namespaces', async () => {
    const said = await attempt(
      'unshare -Ur id; unshare -n id; unshare -m id; nsenter -t 1 -m id; bwrap --ro-bind / / id; unshare --time -Ur id',
    )
    assert.doesNotMatch(said, /uid=/)
    const cloneWithNewUser = `$! = 0; syscall(${process.arch === 'x64' ? 56 : 220}, 0x10000000 | 17, 0, 0, 0, 0); print $! + 0`
    assert.equal(await attemptInPerl(cloneWithNewUser), String(EPERM))
  })

  test('is refused every system call on the list', async () => {
    const answers = await answersTo(refusedCalls)
    assert.deepEqual(
      Object.keys(answers).filter((name) => answers[name] !== EPERM),
      [],
    )
  })

  test('is told that newer doors to the kernel do not exist', async () => {
    const answers = await answersTo(unknownCalls)
    assert.deepEqual(
      Object.keys(answers).filter((name) => answers[name] !== ENOSYS),
      [],
    )
    if (process.arch !== 'x64') return
    const getpidOfX32 = '$! = 0; syscall(0x40000000 + 39); print $! + 0'
    assert.equal(await attemptInPerl(getpidOfX32), String(ENOSYS))
  })

  test("types nothing into anybody's terminal", async () => {
    assert.equal(await attemptInPerl('$! = 0; my $key = "x"; ioctl(STDIN, 0x5412, $key); print $! + 0'), String(EPERM))
    assert.match(await attempt('echo x > /dev/tty'), /No such device/)
  })

  test("shares no memory with the machine's programs", async () => {
    const id = /\d+/.exec(execFileSync('ipcmk', ['-M', '4096'], { encoding: 'utf8' }))![0]
    try {
      assert.equal(await attempt("ipcs -m | grep -c '^0x'"), '0')
    } finally {
      execFileSync('ipcrm', ['-m', id])
    }
  })

  test('is, seen from the machine, a user without rights behind walls of its own', async () => {
    const running = sandbox.exec({ shell: 'sleep 600', timeoutMs: COMMAND_MS })
    const first = firstPid('attacker')
    await until(() => processTree(first).length >= 3, 'the command runs')
    for (const pid of processTree(first)) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const expected = isRoot ? 64900 : process.getuid!()
      assert.match(status, new RegExp(`^Uid:\\t${expected}\\t${expected}\\t${expected}\\t${expected}$`, 'm'))
      assert.match(status, /^NoNewPrivs:\s+1$/m)
      for (const kind of ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'])
        assert.notEqual(readlinkSync(`/proc/${pid}/ns/${kind}`), readlinkSync(`/proc/self/ns/${kind}`), kind)
      if (pid === first) continue
      assert.match(status, /^CapEff:\s+0{16}$/m)
      assert.match(status, /^CapBnd:\s+0{16}$/m)
      assert.match(status, /^Seccomp:\s+2$/m)
    }
    running.kill()
    await running.result
  })
})

describe('the network', () => {
  const abstractName = `\0runwright-test-${process.pid}`
  const socketPath = path.join(base, 'service.sock')
  const servers: Server[] = []
  let port = 0

  before(async () => {
    for (const address of [{ port: 0, host: '0.0.0.0' }, { path: abstractName }, { path: socketPath }]) {
      const server = createServer((socket) => socket.on('error', () => {}).end('REACHED'))
      server.listen(address)
      await once(server, 'listening')
      servers.push(server)
    }
    port = (servers[0]!.address() as { port: number }).port
    chmodSync(socketPath, 0o777)
  })
  after(() => {
    for (const server of servers) server.close()
  })

  /** What became of attempts to connect from inside, by `net.connect` of Node. */
  async function connect(targets: object[]): Promise<string[]> {
    const program = `const net = require('node:net'); const targets = JSON.parse(process.argv[1])
      for (const target of targets) {
        const socket = net.connect(target)
        const tell = (what) => { console.log(what); socket.destroy() }
        socket.once('error', (error) => tell(error.code)).once('connect', () => tell('CONNECTED')).setTimeout(3000, () => tell('SILENCE'))
      }`
    const argv = [`${sandbox.paths.nodeFolder}/node`, '-e', program, JSON.stringify(targets)]
    const { output } = await sandbox.exec({ argv, timeoutMs: COMMAND_MS }).result
    return output.toString().trim().split('\n')
  }

  test('reaches neither this machine, nor its neighbours, nor the internet', async () => {
    const own = Object.values(networkInterfaces())
      .flat()
      .find((address) => !address?.internal && address?.family === 'IPv4')
    const hosts = ['127.0.0.1', '::1', own?.address ?? '192.0.2.2', '169.254.169.254', '1.1.1.1', 'fd00:ec2::254']
    const answers = await connect(hosts.map((host) => ({ host, port })))
    assert.equal(answers.length, hosts.length)
    assert.deepEqual(
      answers.filter((answer) => !/^E(CONNREFUSED|NETUNREACH|ADDRNOTAVAIL)$/.test(answer)),
      [],
    )
  })

  test("reaches none of the machine's local sockets", async () => {
    const paths = [abstractName, socketPath, '/var/run/docker.sock', '/run/dbus/system_bus_socket', '/tmp/.X11-unix/X0']
    const answers = await connect(paths.map((target) => ({ path: target })))
    assert.equal(answers.length, paths.length)
    assert.deepEqual(
      answers.filter((answer) => !/^E(CONNREFUSED|NOENT)$/.test(answer)),
      [],
    )
  })

  test('resolves no names', async () => {
    assert.equal(
      await attempt('getent hosts example.com; cat /etc/resolv.conf; getent hosts localhost | grep -c localhost'),
      '1',
    )
    const send =
      'socket(my $s, 2, 2, 0); $! = 0; send($s, "x", 0, pack("S n C4 x8", 2, 53, 8, 8, 8, 8)); print $! ? "no" : "SENT"'
    assert.equal(await attemptInPerl(send), 'no')
  })

  test('opens sockets of ordinary families only', async () => {
    const families = {
      packet: [17, 3, 0],
      vsock: [40, 1, 0],
      alg: [38, 5, 0],
      raw: [2, 3, 1],
      bluetooth: [31, 3, 0],
      audit: [16, 3, 9],
      uevent: [16, 3, 15],
      tipc: [30, 1, 0],
      can: [29, 3, 1],
    }
    const tries = Object.entries(families).map(
      ([name, triple]) => `socket(my $${name}, ${triple.join(', ')}) and print "OPENED ${name} ";`,
    )
    assert.equal(
      await attemptInPerl(`${tries.join(' ')} socket(my $u, 1, 1, 0) and socket(my $r, 16, 3, 0) and print "fine"`),
      'fine',
    )
  })

  test('has one interface of its own, and configures none', async () => {
    const said = await attempt(
      'ip link add d0 type dummy; ip addr add 10.9.9.9/24 dev lo; ip route add default via 127.0.0.1; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "',
    )
    assert.match(said, /^lo$/m)
    assert.doesNotMatch(said, /^d0$/m)
    assert.equal(await attempt('cat /proc/net/route | wc -l'), '1')
  })
})

describe('limits', () => {
  test('holds a fork bomb, while others go on', async () => {
    const bomb = await provider.create({ id: 'bomb', limits: { ...limits, processes: 60 } })
    const running = bomb.exec({ shell: ':(){ :|:& };:; sleep 600', timeoutMs: COMMAND_MS })
    const first = firstPid('bomb')
    await until(() => processTree(first).length >= 40, 'the bomb is going off')
    assert.equal(await attempt('echo fine', neighbour), 'fine')
    assert.ok(processTree(first).length <= 80)
    const startedAt = performance.now()
    await bomb.stop('enough')
    assert.ok(performance.now() - startedAt < 3_000)
    assert.ok(!isAlive(first))
    assert.equal((await running.result).reason, 'sandbox_lost')
  })

  test('ends a fork bomb at the time limit of its command, and the sandbox goes on', async () => {
    const bomb = await provider.create({ id: 'bomb', limits: { ...limits, processes: 60 } })
    const result = await bomb.exec({ shell: ':(){ :|:& };:; sleep 600', timeoutMs: 500 }).result
    assert.equal(result.reason, 'timeout')
    assert.equal(await attempt("ls /proc | grep -c '^[0-9]' | xargs test 10 -ge && echo quiet", bomb), 'quiet')
    await bomb.stop('done')
  })

  test('says when the process limit is why a command cannot start', async () => {
    const small = await provider.create({ id: 'small', limits: { ...limits, processes: 40 } })
    let complaint = ''
    const onOutput = (_stream: string, chunk: Uint8Array) => (complaint += Buffer.from(chunk).toString())
    const shell = 'while sleep 600 & do :; done; sleep 600'
    const filling = small.exec({ shell, timeoutMs: COMMAND_MS, onOutput })
    await until(() => complaint.includes('Resource temporarily unavailable'), 'it is full')
    assert.match(await attempt('true', small), /cannot start bash: the process limit of the sandbox is reached/)
    filling.kill()
    assert.equal((await filling.result).reason, 'killed')
    assert.equal(await attempt('echo again', small), 'again')
    await small.stop('done')
  })

  test('bounds shared memory, one file, and open files', async () => {
    assert.match(
      await attempt('head -c 200M /dev/zero > /dev/shm/large; stat -c %s /dev/shm/large; rm /dev/shm/large'),
      /No space left[\s\S]*\n134217728$/,
    )
    assert.match(await attempt('truncate -s 600M huge; ls huge'), /File (too large|size limit exceeded)/)
    const open =
      'my @files; while (open(my $file, "<", "/dev/null")) { push @files, $file } print scalar(@files), " $!"'
    assert.match(await attemptInPerl(open), /^40\d\d Too many open files$/)
  })

  describe('that take their time', { concurrency: true }, () => {
    const hog = (mebibytes: number) => `perl -e 'my $held = "x" x (${mebibytes} << 20); print "HELD\\n"; sleep 2'`

    test('takes one command that wants too much memory, and not the sandbox if it need not', async () => {
      const small = await provider.create({ id: 'hog', limits: { ...limits, memoryBytes: 256 * MiB } })
      const result = await small.exec({ shell: hog(1200), timeoutMs: COMMAND_MS }).result
      assert.doesNotMatch(result.stdout.toString(), /HELD/)
      if (small.enforcement.memory === 'kernel') {
        assert.equal(result.reason, 'out_of_memory')
        assert.equal(await attempt('echo still here', small), 'still here')
      } else assert.ok(result.exitCode !== 0, 'it was ended')
      await small.stop('done')
    })

    test('counts the memory of all processes together', async () => {
      const small = await provider.create({ id: 'hogs', limits: { ...limits, memoryBytes: 300 * MiB } })
      const shell = `for i in 1 2 3 4 5 6; do ${hog(100)} & done; wait; exit 1`
      const result = await small.exec({ shell, timeoutMs: COMMAND_MS }).result
      assert.equal(result.reason, small.enforcement.memory === 'kernel' ? 'out_of_memory' : 'sandbox_lost')
      if (small.enforcement.memory !== 'kernel') assert.deepEqual(await small.closed, { reason: 'out_of_memory' })
      await small.stop('done')
    })

    test('ends as disk_full when its files take more than they may', async () => {
      const small = await provider.create({ id: 'disk', limits: { ...limits, diskBytes: 40 * MiB } })
      const shell = 'for i in 1 2 3 4 5 6 7 8 9; do head -c 8M /dev/zero > file$i; done; sleep 600'
      assert.equal((await small.exec({ shell, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
      assert.deepEqual(await small.closed, { reason: 'disk_full' })
    })

    test('keeps time from outside when the agent inside was frozen', async () => {
      const other = await provider.create({ id: 'frozen', limits })
      const first = firstPid('frozen')
      const result = await other.exec({ shell: 'kill -STOP $PPID; sleep 600', timeoutMs: 300 }).result
      assert.equal(result.reason, 'sandbox_lost')
      assert.deepEqual(await other.closed, { reason: 'unresponsive' })
      assert.ok(!isAlive(first))
    })

    test('ends with all its processes when the agent inside was killed', async () => {
      const other = await provider.create({ id: 'killed', limits })
      const first = firstPid('killed')
      const result = await other.exec({ shell: 'setsid sleep 600 & kill -9 $PPID; sleep 600', timeoutMs: COMMAND_MS })
        .result
      assert.equal(result.reason, 'sandbox_lost')
      assert.deepEqual(await other.closed, { reason: 'lost' })
      assert.ok(!isAlive(first))
    })
  })
})

describe('the end', () => {
  test('leaves no process of a stopped sandbox', async () => {
    const other = await provider.create({ id: 'stopped', limits })
    const shell = 'for i in 1 2 3; do setsid nohup sleep 600 & done; trap "" TERM; sleep 600'
    const running = other.exec({ shell, timeoutMs: COMMAND_MS })
    const first = firstPid('stopped')
    await until(() => processTree(first).length >= 6, 'they run')
    const pids = processTree(first)
    await other.stop('enough')
    assert.deepEqual(pids.filter(isAlive), [])
    assert.equal((await running.result).reason, 'sandbox_lost')
  })

  /** Another service with a sandbox of id `owned` at work. Says how that closed, if it learns of it. */
  async function startOwner(): Promise<{ owner: ChildProcess; pids: number[]; said: () => string }> {
    const program = `
      import { openBubblewrap } from ${JSON.stringify(new URL('./bubblewrap.ts', import.meta.url).href)}
      const provider = openBubblewrap({ folder: process.argv[1] })
      const sandbox = await provider.create({ id: 'owned', limits: ${JSON.stringify(limits)} })
      sandbox.exec({ shell: 'setsid sleep 600 & echo begun > begun; sleep 600', timeoutMs: 600000 })
      console.log((await sandbox.closed).reason)`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    owner.stdout.on('data', (chunk: Buffer) => (said += chunk))
    const records = path.join(folder, 'owned/processes.json')
    const begun = path.join(folder, 'owned/workspace/begun')
    await until(
      () => existsSync(begun) && readRecords(records).length === 2 && processTree(firstPid('owned')).length >= 4,
      'it is at work',
    )
    return { owner, pids: processTree(firstPid('owned')), said: () => said }
  }

  test('leaves no process when the service was killed', async () => {
    const { owner, pids } = await startOwner()
    owner.kill('SIGKILL')
    await until(() => !pids.some(isAlive), 'all are gone')
    await provider.remove('owned')
  })

  test('replaces the sandbox of a service that is frozen, and suffers nothing when that wakes up', async () => {
    const { owner, pids, said } = await startOwner()
    owner.kill('SIGSTOP')
    const next = await provider.create({ id: 'owned', limits })
    assert.deepEqual(pids.filter(isAlive), [])
    assert.equal((await next.readFile('begun')).toString(), 'begun\n')
    owner.kill('SIGCONT')
    await once(owner, 'exit')
    assert.equal(said(), 'lost\n')
    assert.equal(await attempt('echo unharmed', next), 'unharmed')
    assert.equal(readRecords(path.join(folder, 'owned/processes.json')).length, 2)
    await provider.remove('owned')
  })

  test('removes folders without permissions and paths without end', async () => {
    const other = await provider.create({ id: 'maze', limits })
    const dig = 'my $name = "d" x 100; for (1 .. 200) { mkdir $name; chdir $name }'
    await other.exec({
      shell: `perl -e '${dig}'; mkdir -p a/b/c; touch a/b/c/file; ln -s /etc etc; chmod 000 a/b/c a/b a`,
      timeoutMs: COMMAND_MS,
    }).result
    await provider.remove('maze')
    assert.ok(!existsSync(path.join(folder, 'maze')))
    assert.ok(existsSync('/etc/passwd'))
  })
})

describe('a machine that is not fit', () => {
  test('says how to install bubblewrap where it is missing', async () => {
    const without = openBubblewrap({ folder: path.join(base, 'without'), bubblewrap: '/no/such/bwrap' })
    const status = await without.probe()
    assert.equal(status.isolated, false)
    assert.match(status.problems.join(), /apt-get install bubblewrap/)
    await assert.rejects(without.create({ id: 'any', limits }), /the sandbox did not start/)
  })

  test('says why bubblewrap could not start', async () => {
    const broken = openBubblewrap({ folder: path.join(base, 'broken'), bubblewrap: '/bin/false' })
    const status = await broken.probe()
    assert.equal(status.isolated, false)
    assert.match(status.problems.join(), /did not start/)
  })

  test('never runs as user 0', { skip: !isRoot && 'only root can choose a user' }, () => {
    assert.throws(() => openBubblewrap({ folder, uid: 0 }), /must not run as user 0/)
  })

  test(
    'names the folder that keeps the sandboxes out',
    { skip: !isRoot && 'only root has another user for sandboxes' },
    async () => {
      const closed = path.join(base, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const hidden = openBubblewrap({ folder: path.join(closed, 'sandboxes') })
      assert.match(
        (await hidden.probe()).problems.join(),
        new RegExp(`${closed} is closed to the sandboxes' user 64900.*chmod o\\+x ${closed}`),
      )
      await assert.rejects(hidden.create({ id: 'any', limits }), /is closed to the sandboxes' user/)
    },
  )
})
