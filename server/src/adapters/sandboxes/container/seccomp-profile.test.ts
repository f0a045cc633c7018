import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedCalls } from '#adapters/sandboxes/seccomp.ts'
import { seccompProfile } from './seccomp-profile.ts'

type Condition = { index: number; op: string; value: number; valueTwo?: number }
type Profile = { syscalls: { names: string[]; errnoRet: number; args: Condition[] }[] }

/** The error that the profile answers a call with, as the library compares: all 64 bits of each argument. */
function answerTo(name: string, ...words: (number | bigint)[]): number {
  const { syscalls } = JSON.parse(seccompProfile({ architecture: 'x64', limitsSegments: true })) as Profile
  const holds = ({ index, op, value, valueTwo }: Condition) => {
    const word = BigInt(words[index] ?? 0)
    if (op === 'SCMP_CMP_MASKED_EQ') return (word & BigInt(value)) === BigInt(valueTwo!)
    if (op === 'SCMP_CMP_GT') return word > BigInt(value)
    return (word === BigInt(value)) === (op === 'SCMP_CMP_EQ')
  }
  return syscalls.find((rule) => rule.names.includes(name) && rule.args.every(holds))?.errnoRet ?? 0
}

const high = 1n << 32n

test('refuses what the rules for bubblewrap refuse', () => {
  for (const name of Object.keys(refusedCalls)) assert.equal(answerTo(name), 1, name)
  assert.equal(answerTo('clone3'), 38)
  assert.equal(answerTo('read'), 0)
  assert.equal(answerTo('clone', 0x10000000 | 17), 1)
  assert.equal(answerTo('clone', 0x80), 0)
  assert.equal(answerTo('unshare', 0x80), 1)
  assert.equal(answerTo('shmget', 0, 32 * 1024 + 1), 12)
  assert.equal(answerTo('shmget', 0, 56), 0)
})

test('leaves the sockets that programs need, and no others', () => {
  for (const usual of [
    [1, 1, 0],
    [16, 3, 0],
    [2, 1, 6],
    [10, 0x80001, 6],
    [2, 2, 17],
    [2, 0x801, 0],
  ])
    assert.equal(answerTo('socket', ...usual), 0, usual.join())
  for (const family of [0, 3, 4, 15, 17, 38, 40, 44, 4_000]) assert.equal(answerTo('socket', family, 1, 0), 97)
  assert.equal(answerTo('socket', 16, 3, 9), 97)
  for (const rare of [
    [2, 1, 132],
    [2, 5, 0],
    [10, 2, 136],
    [2, 1, 262],
    [2, 6, 0],
  ])
    assert.equal(answerTo('socket', ...rare), 93, rare.join())
  assert.equal(answerTo('socketpair', 2, 1, 0), 97)
  assert.equal(answerTo('socketpair', 1, 1, 0), 0)
})

test('leaves the plain personality, that of 32-bit addresses, and the question which it is', () => {
  for (const allowed of [0, 8, 0x20000, 0x20008, 0xffffffff]) assert.equal(answerTo('personality', allowed), 0)
  for (const refused of [1, 0x0400000, 0x20001, 0x80000000, 0x80000008, 0xfffffffe, 0x7fffffff])
    assert.equal(answerTo('personality', refused), 1, refused.toString(16))
})

test('is not fooled by bits that the kernel does not look at', () => {
  for (const request of [0x5412n, 0x541cn, 0x5423n]) {
    assert.equal(answerTo('ioctl', 0, request), 1)
    assert.equal(answerTo('ioctl', 0, high | request), 1)
  }
  assert.equal(answerTo('ioctl', 0, 0x5413), 0)
  assert.equal(answerTo('setsockopt', 3, high | 6n, high | 31n), 92)
  assert.equal(answerTo('setsockopt', 3, 6, 1), 0)
  assert.equal(answerTo('socket', high | 40n, 1, 0), 97)
  assert.equal(answerTo('socket', 2, 1, high | 262n), 93)
  assert.equal(answerTo('socket', 2, high | 5n, 0), 93)
  assert.equal(answerTo('socketpair', high | 2n, 1, 0), 97)
  assert.equal(answerTo('personality', high | 0x0400000n), 1)
})

test('has no profile for processors whose calls it does not know', () => {
  assert.throws(() => seccompProfile({ architecture: 'riscv64', limitsSegments: false }), /no seccomp profile/)
  assert.match(seccompProfile({ architecture: 'arm64', limitsSegments: false }), /AARCH64/)
})
