/** Ways out through the kernel: calls that nobody needs, other ways to them, rare kinds of sockets. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusedCalls, unknownCalls } from '#adapters/sandboxes/seccomp.ts'
import { openAttack } from './attack.ts'

const { attacker, isOfImage, hasOwnKernel, attempt, attemptInPerl } = await openAttack()
const EPERM = 1
const ENOMEM = 12
const EINVAL = 22
const ENOSYS = 38
const ENOPROTOOPT = 92
const column = process.arch === 'x64' ? 0 : 1

/** Calls that libraries of engines do not know yet; without rights they do nothing. */
const unknownToEngines = isOfImage ? ['open_tree_attr'] : []
/** Calls with which a kernel of their own has commands trace each other. */
const ofOwnKernel = ['ptrace']

/** What the kernel answers to a call with these arguments: the number of the error, or 0. */
const answerTo = async (number: number, ...words: (number | string)[]) =>
  Number(await attemptInPerl(`$! = 0; syscall(${[number, ...words].join(', ')}); print $! + 0`))

describe('a call that no agent needs is refused:', () => {
  for (const [name, numbers] of Object.entries(refusedCalls)) {
    const number = numbers[column]
    if (number < 0) continue
    test(name, async () => {
      const answer = await answerTo(number, 0, 0, 0, 0, 0)
      // What is asked of a kernel of their own is not asked of the machine's, and it has reasons of its own.
      if (hasOwnKernel) assert.ok(answer !== 0 || ofOwnKernel.includes(name))
      else if (unknownToEngines.includes(name)) assert.notEqual(answer, 0)
      else assert.equal(answer, EPERM)
    })
  }
})

describe('a call that programs do without does not exist:', () => {
  for (const [name, numbers] of Object.entries(unknownCalls))
    test(name, async () => {
      const answer = await answerTo(numbers[column], 0, 0, 0, 0, 0)
      if (hasOwnKernel) assert.notEqual(answer, 0)
      else assert.equal(answer, ENOSYS)
    })
})

test('takes the second way into the kernel that this processor has, with other numbers: it does not exist', async () => {
  if (process.arch !== 'x64') return
  // The filter of an engine kills whoever knocks.
  if (isOfImage && !hasOwnKernel)
    assert.match(await attempt(`perl -e 'syscall(${0x40000000 + 39})'; echo $?`), /^159$/m)
  else assert.equal(await answerTo(0x40000000 + 39), ENOSYS)
})

test("takes the third, of old programs with 32 bits: whoever knocks is killed, or answered by the sandbox's own kernel", async () => {
  if (process.arch !== 'x64') return
  await attacker.writeFile('knock', programOf32Bits(), { mode: 0o755 })
  const [, status, pid] = /^(\d+) (\d+)$/m.exec(await attempt('./knock & pid=$!; wait $pid; echo $? $pid'))!
  // 31: the filter has killed it; 11: this kernel has no such way.
  const isKilled = status === '159' || status === '139'
  // A kernel of their own takes the number for one of 64 bits: it answers with the pid that the sandbox knows.
  assert.ok(isKilled || (hasOwnKernel && Number(status) === Number(pid) % 256), `${status} of ${pid}`)
})

/**
 * A program that calls as programs with 32 bits do, and ends with the low byte of the answer. Number 39 makes a folder there, and
 * fails without a name; with 64 bits it asks for the pid.
 */
function programOf32Bits(): Buffer {
  const code = Buffer.from('b827000000cd8089c7b8e70000000f05', 'hex')
  const header = Buffer.alloc(120)
  Buffer.from('7f454c46020101000000000000000000', 'hex').copy(header)
  header.writeUInt16LE(2, 16)
  header.writeUInt16LE(62, 18)
  header.writeUInt32LE(1, 20)
  header.writeBigUInt64LE(0x400078n, 24)
  header.writeBigUInt64LE(64n, 32)
  header.writeUInt16LE(64, 52)
  header.writeUInt16LE(56, 54)
  header.writeUInt16LE(1, 56)
  header.writeUInt32LE(1, 64)
  header.writeUInt32LE(5, 68)
  header.writeBigUInt64LE(0x400000n, 80)
  header.writeBigUInt64LE(0x400000n, 88)
  header.writeBigUInt64LE(BigInt(120 + code.length), 96)
  header.writeBigUInt64LE(BigInt(120 + code.length), 104)
  header.writeBigUInt64LE(0x1000n, 112)
  return Buffer.concat([header, code])
}

test('opens sockets of rare families and protocols, which load parts of the kernel: refused', async () => {
  const sockets = {
    packet: [17, 3, 0],
    vsock: [40, 1, 0],
    alg: [38, 5, 0],
    raw: [2, 3, 1],
    bluetooth: [31, 3, 0],
    audit: [16, 3, 9],
    uevent: [16, 3, 15],
    netfilter: [16, 3, 12],
    xfrm: [16, 3, 6],
    tipc: [30, 1, 0],
    can: [29, 3, 1],
    key: [15, 3, 2],
    rds: [21, 5, 0],
    qipcrtr: [42, 2, 0],
    xdp: [44, 3, 0],
    sctp: [2, 1, 132],
    'sctp over packets': [2, 5, 132],
    dccp: [2, 6, 0],
    l2tp: [2, 2, 115],
    udplite: [10, 2, 136],
    mptcp: [2, 1, 262],
    smc: [43, 1, 0],
  }
  const tries = Object.entries(sockets).map(
    ([name, triple]) => `socket(my $s, ${triple.join(', ')}) and print "OPENED ${name} ";`,
  )
  // gVisor has these messages, and never sends one.
  const opened = hasOwnKernel ? 'OPENED uevent ' : ''
  assert.equal(await attemptInPerl(`${tries.join(' ')} print "done"`), `${opened}done`)
})

test('opens the sockets that programs need: they are there', async () => {
  const usual = { unix: [1, 1, 0], route: [16, 3, 0], tcp: [2, 1, 6], 'tcp of version 6': [10, 1, 0], udp: [2, 2, 17] }
  const tries = Object.entries(usual).map(
    ([name, triple]) => `socket(my $s, ${triple.join(', ')}) or print "NO ${name}: $! ";`,
  )
  assert.equal(await attemptInPerl(`${tries.join(' ')} print "done"`), 'done')
})

test("lays the kernel's own TLS over a connection: there is no such option", async () => {
  const program = 'socket(my $s, 2, 1, 6); $! = 0; setsockopt($s, 6, 31, "tls"); print $! + 0'
  // gVisor takes every option of TCP and does nothing for those that it does not know.
  assert.equal(Number(await attemptInPerl(program)), hasOwnKernel ? 0 : ENOPROTOOPT)
  assert.equal(await attemptInPerl('socket(my $s, 2, 1, 6); print setsockopt($s, 6, 1, 1) ? "fine" : "$!"'), 'fine')
})

test('hides memory in segments that no process has open: only where the machine counts it', async () => {
  const shmget = process.arch === 'x64' ? 29 : 194
  const answer = await answerTo(shmget, 0, 256 * 1024 * 1024, '0600')
  assert.equal(answer, attacker.enforcement.memory === 'kernel' || hasOwnKernel ? 0 : ENOMEM)
  assert.equal(await answerTo(shmget, 0, 56, '0600'), 0, 'a database starts')
  await attempt('ipcrm --all')
})

test('changes how programs are run, such as with a stack that may be executed: refused', async () => {
  const personality = process.arch === 'x64' ? 135 : 92
  assert.equal(await answerTo(personality, 0x0400000), hasOwnKernel ? EINVAL : EPERM)
  assert.equal(await answerTo(personality, '0xffffffff'), hasOwnKernel ? EINVAL : 0)
})

test('loads programs into the kernel, by whichever way: refused', async () => {
  assert.doesNotMatch(
    await attempt(
      'modprobe tls && echo LOADED; insmod x && echo LOADED; bpftool prog && echo LOADED; iptables -L && echo LISTED; nft list ruleset && echo LISTED',
    ),
    /LOADED|LISTED/,
  )
  assert.equal(await attempt('ls /lib/modules /usr/lib/modules 2>/dev/null | head -1 | wc -l'), '0')
})
