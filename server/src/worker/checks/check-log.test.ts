import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckLog, type LogPiece } from './check-log.ts'

/** A log, and what is stored of it, as a table of pieces. */
function open(options: { bytesMax?: number; pieceBytes?: number; waitMs?: number } = {}) {
  const stored = new Map<number, string>()
  let heard = Promise.withResolvers<void>()
  const store = async ({ n, bytes, dropped }: LogPiece) => {
    stored.set(n, Buffer.from(bytes).toString())
    for (let gone = dropped?.from ?? 1; gone <= (dropped?.to ?? 0); gone++) stored.delete(gone)
    heard.resolve()
    heard = Promise.withResolvers()
  }
  const log = new CheckLog({ store, onFault: assert.ifError, ...options })
  return { log, stored, untilStored: () => heard.promise, text: () => log.take().toString() }
}

test('reads like a terminal, each command on a line of its own', () => {
  const { log, text } = open()
  log.writeCommand('npm ci')
  log.write(Buffer.from('no new line at the end'))
  log.writeCommand('npm test')
  log.write(Buffer.from('fine'))
  assert.equal(text(), '$ npm ci\nno new line at the end\n$ npm test\nfine\n')
})

test('what comes is stored after a while, or at once when it is much', async () => {
  const { log, stored, untilStored } = open({ waitMs: 1, pieceBytes: 100 })
  log.write(Buffer.from('a'))
  log.write(Buffer.from('b'))
  await untilStored()
  const much = 'x'.repeat(100)
  const patient = open({ waitMs: 3_600_000, pieceBytes: 100 })
  patient.log.write(Buffer.from(much))
  await patient.untilStored()
  assert.deepEqual([...stored.values(), ...patient.stored.values()], ['ab', much])
})

test('however much comes, the first half and the newest are stored, and the whole says what is missing', async () => {
  const { log, stored, text } = open({ bytesMax: 20, waitMs: 3_600_000 })
  for (let n = 0; n < 100; n++) {
    log.write(Buffer.from(`${String(n).padStart(4, '0')}\n`))
    await log.flush()
    const bytes = [...stored.values()].join('').length
    assert.ok(bytes <= 20, `${bytes} bytes are stored`)
  }
  assert.deepEqual([...stored], [[1, '0000\n'], [2, '0001\n'], [99, '0098\n'], [100, '0099\n']]) // prettier-ignore
  assert.equal(text(), '0000\n0001\n\n[480 bytes in the middle are left out]\n0098\n0099\n')
})

test('what comes faster than it can be stored does not pile up', async () => {
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pieces: string[] = []
  const store = async ({ bytes }: LogPiece) => {
    begun.resolve()
    await slow.promise
    pieces.push(Buffer.from(bytes).toString())
  }
  const log = new CheckLog({ store, onFault: assert.ifError, bytesMax: 10, pieceBytes: 1, waitMs: 3_600_000 })
  log.write(Buffer.from('first'))
  await begun.promise
  for (let n = 0; n < 1_000; n++) log.write(Buffer.from(`${n % 10}`))
  slow.resolve()
  await log.flush()
  assert.deepEqual(pieces, ['first', '01234\n[990 bytes in the middle are left out]\n56789'])
})

test('a piece that cannot be stored is missing from what is read meanwhile, and not from the whole', async () => {
  const faults: unknown[] = []
  const log = new CheckLog({ store: () => Promise.reject(new Error('gone')), onFault: (error) => faults.push(error) })
  log.writeLine('here')
  await log.flush()
  assert.deepEqual([faults.length, log.take().toString()], [1, 'here\n'])
})
