import { limits } from '#base/limits.ts'
import { nextRandom, partCharactersMin } from './random-looking.ts'
import { longSeedSymbols, seedShift, seedSymbols, seedValue, symbolOf } from './symbols.ts'
import { writtenForms, type Form, type Written } from './written-forms.ts'

/** What a secret is a part of: all that is looked for in symbols, one form after the other, with a 0 between them. */
export type PartIndex = {
  symbols: Uint8Array
  /** By place: how many symbols from here on give the secret away by themselves. 0: none do, but all of the form. */
  enough: Uint16Array
  /** Where forms begin, and the number of the secret of each. */
  starts: Int32Array
  ids: Int32Array
  /** By the first bits of a seed a word, in which its last bits name two: of what is in no form next to nothing has both. */
  bits: Int32Array
  bitsShift: number
  /** A table of seeds: each with its place. Place 0 is empty. */
  seeds: Int32Array
  places: Int32Array
  slotMask: number
  /** The places of long seeds, by their hash. */
  longPlaces: Map<number, number[]>
}

/** Every so many symbols of a form a seed is laid, by which it is found again; so many symbols of it are held until then. */
const strides = { narrow: 4, wide: 8 }
export const undetectedSymbols = seedSymbols + strides.wide - 2
/** The same for what is verbose: a character is so many symbols or more. */
const verboseSymbolsMin = 4.5
const longStride = 16
export const undetectedVerboseSymbols = longSeedSymbols + longStride - 2
/** In place of a place: what is verbose may be here, and a long seed. */
export const verbosePlace = -1
/** Where more forms than this have the same symbols the others are found by what comes after. */
const sameSeedsMax = 4
/** A form that may also be words is looked for from this length on, or where something in it looks random. */
const proseSymbolsMin = 16
const formSymbolsMin = 10

type Seed = { hash: number; place: number }

/** Works out all forms of all secrets. It can be left and taken up again at each `yield`. */
export function* buildPartIndex(values: { id: number; value: string }[]): Generator<void, PartIndex> {
  const growing = new GrowingIndex()
  for (const { id, value } of values) {
    const bytes = Buffer.from(value.trim())
    if (bytes.length < limits.secretBytesMin) continue
    const [ahead, back] = [nextRandom(bytes), nextRandom(Buffer.from(bytes).reverse())]
    for (const form of writtenForms(bytes)) {
      growing.add(id, form, { ahead, back })
      yield
    }
  }
  return yield* growing.finish()
}

type RandomPlaces = { ahead: Uint32Array; back: Uint32Array }

class GrowingIndex {
  #symbols = new Uint8Array(4_096)
  #enough = new Uint16Array(4_096)
  #length = 1
  readonly #starts: number[] = []
  readonly #ids: number[] = []
  readonly #seeds: Seed[] = []
  readonly #longPlaces = new Map<number, number[]>()
  readonly #verbose = new Set<number>()
  readonly #known = new Set<string>()

  add(id: number, { written, isProse }: Form, random: RandomPlaces): void {
    const { symbols, from } = withoutSigns(written)
    if (symbols.length < formSymbolsMin) return
    const isDescending = from[0]! > from.at(-1)!
    const next = isDescending ? random.back : random.ahead
    const total = next.length - 1
    const isRandom = next[0]! < total
    if (isProse && !isRandom && symbols.length < proseSymbolsMin) return
    const key = `${id}/${Buffer.from(symbols).toString('latin1')}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    const start = this.#length
    this.#room(symbols.length + 1)
    this.#symbols.set(symbols, start)
    this.#length = start + symbols.length + 1
    this.#starts.push(start)
    this.#ids.push(id)
    const places = isDescending ? from.map((at) => total - 1 - at) : from
    if (isRandom) this.#weigh(start, places, next)
    // Twelve characters of the secret have so many symbols that a seed is among them, wherever they begin.
    const width = symbols.length / total
    if (width >= verboseSymbolsMin) this.#sowLong(start, symbols.length)
    else this.#sow(start, symbols.length, width >= 1.5 ? strides.wide : strides.narrow)
  }

  *finish(): Generator<void, PartIndex> {
    for (const hash of this.#verbose) this.#seeds.push({ hash, place: verbosePlace })
    const slots = 2 ** Math.ceil(Math.log2(Math.max(64, this.#seeds.length * 2)))
    const wordsLog = Math.max(8, Math.ceil(Math.log2(Math.max(1, this.#seeds.length))))
    const index: PartIndex = {
      symbols: this.#symbols.slice(0, this.#length),
      enough: this.#enough.slice(0, this.#length),
      starts: Int32Array.from(this.#starts),
      ids: Int32Array.from(this.#ids),
      bits: new Int32Array(2 ** wordsLog),
      bitsShift: 32 - wordsLog,
      seeds: new Int32Array(slots),
      places: new Int32Array(slots),
      slotMask: slots - 1,
      longPlaces: this.#longPlaces,
    }
    for (const [count, seed] of this.#seeds.entries()) {
      if (count % 1_000 === 0) yield
      plant(index, seed)
    }
    return index
  }

  /** A part that holds twelve random characters gives the secret away. */
  #weigh(start: number, places: number[], next: Uint32Array): void {
    let end = 0
    for (let at = 0; at < places.length; at++) {
      // One that is begun in its midst does not count.
      const first = at > 0 && places[at - 1] === places[at] ? places[at]! + 1 : places[at]!
      const request = (next[first] ?? 0xffff_ffff) + partCharactersMin
      while (end < places.length && places[end]! < request) end++
      const isThere = end < places.length || request <= next.length - 1
      this.#enough[start + at] = isThere ? Math.min(end - at, 0xffff) : 0
    }
  }

  #sow(start: number, length: number, every: number): void {
    for (let at = 0; at + seedSymbols <= length; at += every) {
      const place = start + at
      this.#seeds.push({ hash: hashOf(this.#symbols.subarray(place, place + seedSymbols), seedShift), place })
    }
  }

  #sowLong(start: number, length: number): void {
    for (let at = 0; at + seedSymbols <= length; at++)
      this.#verbose.add(hashOf(this.#symbols.subarray(start + at, start + at + seedSymbols), seedShift))
    for (let at = 0; at + longSeedSymbols <= length; at += longStride) {
      const place = start + at
      const hash = hashOf(this.#symbols.subarray(place, place + longSeedSymbols), 1)
      const places = this.#longPlaces.get(hash) ?? []
      if (places.length < sameSeedsMax) this.#longPlaces.set(hash, [...places, place])
    }
  }

  #room(more: number): void {
    if (this.#length + more <= this.#symbols.length) return
    const room = 2 * (this.#length + more)
    const [symbols, enough] = [new Uint8Array(room), new Uint16Array(room)]
    symbols.set(this.#symbols)
    enough.set(this.#enough)
    this.#symbols = symbols
    this.#enough = enough
  }
}

function withoutSigns({ text, from }: Written): { symbols: number[]; from: number[] } {
  const symbols: number[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    const symbol = symbolOf[text.charCodeAt(at)]!
    if (symbol === 0) continue
    symbols.push(symbol)
    places.push(from[at]!)
  }
  return { symbols, from: places }
}

/** What the last symbols make when each moves those before it on by some bits. */
function hashOf(symbols: Uint8Array, shift: number): number {
  let hash = 0
  for (const symbol of symbols) hash = ((hash << shift) + seedValue[symbol]!) | 0
  return hash
}

function plant(index: PartIndex, { hash, place }: Seed): void {
  let slot = firstSlot(index, hash)
  let same = 0
  for (; index.places[slot] !== 0; slot = (slot + 1) & index.slotMask)
    if (index.seeds[slot] === hash && ++same >= sameSeedsMax) return
  index.seeds[slot] = hash
  index.places[slot] = place
  index.bits[hash >>> index.bitsShift]! |= (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31))
}

export const firstSlot = ({ slotMask }: PartIndex, hash: number): number =>
  (Math.imul(hash, 0x9e3779b1) >>> 7) & slotMask
