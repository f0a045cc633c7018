import { inflateStart, payloadOf } from './inflate-start.ts'

/** What gzip and zlib begin with in base64. */
export const packedPrefixes = [
  'H4sI',
  ...['eJ', 'eN', 'eA', 'eF'].flatMap((two) =>
    ({ eJ: 'wxyz', eN: 'opqr', eA: 'EFGH', eF: '4567' })[two]!.split('').map((third) => two + third),
  ),
]

/** Fewer hold no twelve characters. */
const runBytesMin = 20
/** Of a longer one only so much is looked into. */
const runBytesMax = 32 * 1024
/** What is unpacked is no more than this, and so many times what was packed; each try counts as much as that many bytes. */
const unpackedBytesMin = 16 * 1024
const unpackedShare = 4
const triedBytes = 8 * 1024

/** Letters, digits, signs and line ends of base64 in both alphabets. */
const isOfRun = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_\r\n'))
  isOfRun[byte] = 1

export type FoundPacked = { id: number; start: number; end: number }
type OnRun = {
  /** The numbers of the secrets in what was packed. */
  search(bytes: Buffer): Iterable<number>
  /** -1: nobody knows, because too much was packed to look into it. */
  onFound(found: FoundPacked): void
}

/**
 * Base64 of what gzip and zlib have packed, in a text that comes in pieces: it is unpacked and looked through. Bounded by what the
 * text itself has cost: where more is packed than that allows, it is taken out unseen.
 */
export class PackedRuns {
  readonly #onRun: OnRun
  #open: { start: number; read: number } | undefined
  #allowance = 512 * 1024
  #counted = 0
  #closedAt = 0

  constructor(onRun: OnRun) {
    this.#onRun = onRun
  }

  /** A prefix was seen. Within a run it is a part of it: none is read twice. */
  begin(start: number): void {
    if (start >= this.#closedAt) this.#open ??= { start, read: start }
  }

  /** Goes on with what was begun, in bytes that begin at `base`. */
  read(bytes: Buffer, base: number): void {
    const open = this.#open
    if (!open) return
    const until = Math.min(bytes.length, open.start - base + runBytesMax)
    let at = Math.max(0, open.read - base)
    while (at < until && isOfRun[bytes[at]!] === 1) at++
    open.read = base + at
    if (at === bytes.length && at < open.start - base + runBytesMax) return
    this.#close(bytes, base)
  }

  end(bytes: Buffer, base: number): void {
    if (this.#open) this.#close(bytes, base)
  }

  heldFrom(): number {
    return this.#open?.start ?? Infinity
  }

  #close(bytes: Buffer, base: number): void {
    const { start, read } = this.#open!
    this.#open = undefined
    this.#closedAt = read
    const run = bytes.subarray(Math.max(0, start - base), read - base)
    if (run.length < runBytesMin) return
    this.#allowance += (read - this.#counted) * unpackedShare
    this.#counted = read
    const packed = Buffer.from(run.toString('latin1'), 'base64')
    const payload = payloadOf(packed, 0)
    if (payload === null) return
    this.#allowance -= triedBytes
    if (this.#allowance < 0) return this.#onRun.onFound({ id: -1, start, end: read })
    const bytesMax = Math.min(unpackedBytesMin + run.length * unpackedShare, this.#allowance)
    const unpacked = inflateStart(packed.subarray(payload), bytesMax)
    if (!unpacked) return
    this.#allowance -= unpacked.length
    for (const id of new Set(this.#onRun.search(unpacked))) this.#onRun.onFound({ id, start, end: read })
  }
}
