/** The walls of a bubblewrap sandbox: what is tried inside, and what must come of it. The contract is `sandbox.test.ts`. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isAlive, processTree, sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import type { Sandbox } from './sandbox.ts'
import { refusedCalls, unknownCalls } from './seccomp.ts'

const COMMAND_MS = 20_000
const EPERM = 1
const ENOSYS = 38
const isRoot = process.getuid?.() === 0

const { base, folder, provider, firstPid } = testSandboxes()
const secretFile = path.join(base, 'service.key')
writeFileSync(secretFile, 'CANARY-OF-THE-SERVICE', { mode: 0o600 })
let sandbox: Sandbox
let neighbour: Sandbox

before(async () => {
  sandbox = await provider.create({ id: 'attacker', limits: testLimits })
  neighbour = await provider.create({ id: 'neighbour', limits: testLimits })
  await neighbour.writeFile('private.txt', Buffer.from('CANARY-OF-THE-NEIGHBOUR'))
})

const attempt = (shell: string) => sayIn(sandbox, shell)

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
    assert.match(said, /^done$/m)
  })

  test('gains nothing by programs that change the user', async () => {
    const said = await attempt(
      'cp /usr/bin/id mine; chmod 6777 mine; ./mine -u; newuidmap $$ 0 0 1; grep NoNewPrivs /proc/self/status',
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
    const other = await provider.create({ id: 'environment', limits: testLimits })
    delete process.env.RUNWRIGHT_TEST_DATABASE
    const said = await sayIn(other, "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'")
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
