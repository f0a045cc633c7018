import { firstSlot, undetectedSymbols, undetectedVerboseSymbols, verbosePlace, type PartIndex } from './part-index.ts'
import { longSeedSymbols, seedShift, seedSymbols, seedValue, symbolOf } from './symbols.ts'

/** A secret, or enough of it, between two places of the whole text. */
export type FoundPart = { id: number; start: number; end: number; isWhole: boolean }

/** A text that is looked through, with some of what came before it; its characters are bytes of the whole text. */
export type Look = {
  text: Uint8Array
  /** What comes before was looked through. */
  from: number
  /** Where the text begins in the whole; or where each of its characters begins and ends there. */
  base: number
  places?: Places | undefined
}
export type Places = { starts: Float64Array; ends: Float64Array }

/** The most bytes that may stand between two characters of a secret. */
const gapMax = 256
/** Only a text that is made for it has more candidates at once. */
const openMax = 32

/** A place that so many candidates cover already is not compared again: a repetitive text has the same ones over and over. */
const coveringMax = 6

/** What looks like a secret from a place on, so far: it began at `start` with the symbol at `first` of the index. */
type Open = { diagonal: number; first: number; next: number; start: number; end: number; gap: number; isOpen: boolean }

const valueOf = Int32Array.from(symbolOf, (symbol) => seedValue[symbol]!)
const shiftOf = Uint8Array.from(symbolOf, (symbol) => (symbol ? seedShift : 0))

/**
 * Finds secrets and parts of them in a text. One pass hashes each eight consecutive symbols. Where a form of a secret has a seed
 * with the same hash, the two are compared backward and forward as far as they are the same. Each byte of a text is compared a
 * bounded number of times, whatever the text is.
 */
export class PartFinder {
  readonly #index: PartIndex
  readonly #onFound: (found: FoundPart) => void
  /** The number that the last symbols make; and how many there were, times the bits that each moves it on. */
  #hash = 0
  #passed = 0
  /** Of what is verbose: where it was last, how many symbols of it there were in a row, and the number they make. */
  #verbose = { passed: 0, count: 0, hash: 0 }
  #open: Open[] = []

  constructor(index: PartIndex, onFound: (found: FoundPart) => void) {
    this.#index = index
    this.#onFound = onFound
  }

  scan(look: Look): void {
    const { text, from } = look
    for (const open of this.#open) this.#extend(open, look, from)
    if (this.#open.length) this.#open = this.#open.filter(({ isOpen }) => isOpen)
    for (let at = from; at < text.length; at++) {
      state[0] = this.#hash
      state[1] = this.#passed
      at = nextSeed(this.#index, text, at)
      this.#hash = state[0]
      this.#passed = state[1]
      if (at < text.length) this.#probe(look, at)
    }
    if (this.#open.length) this.#open = this.#open.filter(({ isOpen }) => isOpen)
  }

  /** From where on in the whole text something may still become a secret, or more of one. */
  heldFrom({ text, base, places }: Omit<Look, 'from'>): number {
    let at = text.length
    const isVerbose = this.#verbose.count > 0 && this.#verbose.passed === this.#passed
    let left = isVerbose ? undetectedVerboseSymbols : undetectedSymbols
    for (let gap = 0; left > 0 && at > 0 && gap <= gapMax;) {
      if (symbolOf[text[--at]!] === 0) gap++
      else {
        gap = 0
        left--
      }
    }
    while (at < text.length && symbolOf[text[at]!] === 0) at++
    const tail = at < text.length && places ? places.starts[at]! : base + at
    const none = at === text.length ? Infinity : tail
    return Math.min(none, ...this.#open.map(({ start }) => start))
  }

  /** Where what already looks like a secret begins. */
  tellingFrom(): number {
    return Math.min(Infinity, ...this.#open.map(({ start }) => start))
  }

  #probe(look: Look, at: number): void {
    const hash = this.#hash
    const { seeds, places, slotMask } = this.#index
    for (let slot = firstSlot(this.#index, hash); places[slot] !== 0; slot = (slot + 1) & slotMask) {
      if (seeds[slot] !== hash) continue
      const place = places[slot]!
      if (place === verbosePlace) this.#goOnVerbose(look, at)
      else this.#try(look, { at, place, length: seedSymbols })
    }
  }

  /** Symbols of what is verbose come one after the other, and each of them comes here. */
  #goOnVerbose(look: Look, at: number): void {
    const verbose = this.#verbose
    const symbol = symbolOf[look.text[at]!]!
    if (verbose.passed !== ((this.#passed - seedShift) | 0)) {
      verbose.count = 0
      verbose.hash = 0
      // The first seven are not told of.
      for (const before of symbolsBefore(look.text, at)) this.#count(before)
    }
    this.#count(symbol)
    verbose.passed = this.#passed
    if (verbose.count < longSeedSymbols) return
    for (const place of this.#index.longPlaces.get(verbose.hash) ?? [])
      this.#try(look, { at, place, length: longSeedSymbols })
  }

  #count(symbol: number): void {
    this.#verbose.hash = ((this.#verbose.hash << 1) + seedValue[symbol]!) | 0
    this.#verbose.count++
  }

  #try(look: Look, { at, place, length }: { at: number; place: number; length: number }): void {
    const end = place + length
    const diagonal = (end * seedShift - this.#passed) | 0
    const here = startOf(look, at)
    let covering = 0
    for (const open of this.#open) {
      if (open.diagonal === diagonal && open.next >= end) return
      if (open.end > here && ++covering >= coveringMax) return
    }
    this.#compare(look, { at, place, end, diagonal })
  }

  #compare(
    look: Look,
    { at, place, end, diagonal }: { at: number; place: number; end: number; diagonal: number },
  ): void {
    const { symbols } = this.#index
    const { text } = look
    let [expected, first, last] = [end - 1, -1, -1]
    for (let index = at, gap = 0; index >= 0 && gap <= gapMax; index--) {
      const symbol = symbolOf[text[index]!]!
      if (symbol === 0) {
        gap++
        continue
      }
      if (symbol !== symbols[expected]) break
      gap = 0
      first = index
      if (last < 0) last = index
      expected--
    }
    if (expected >= place) return
    const open: Open = {
      diagonal,
      first: expected + 1,
      next: end,
      start: startOf(look, first),
      end: endOf(look, last),
      gap: 0,
      isOpen: true,
    }
    this.#extend(open, look, at + 1)
    this.#keep(open)
  }

  /** One that has ended is kept for a while: seeds further on in it would lead to it again. */
  #keep(open: Open): void {
    if (this.#open.length >= openMax) {
      const ended = this.#open.findIndex(({ isOpen }) => !isOpen)
      this.#open.splice(Math.max(0, ended), 1)
    }
    this.#open.push(open)
  }

  #extend(open: Open, look: Look, from: number): void {
    const { symbols } = this.#index
    const { text } = look
    let { next, gap } = open
    let last = -1
    for (let at = from; open.isOpen && at < text.length; at++) {
      const symbol = symbolOf[text[at]!]!
      if (symbol === 0) {
        open.isOpen = ++gap <= gapMax
        continue
      }
      gap = 0
      if (symbol === symbols[next]) {
        next++
        last = at
      } else open.isOpen = false
    }
    if (symbols[next] === 0) open.isOpen = false
    open.next = next
    open.gap = gap
    if (last >= 0) open.end = endOf(look, last)
    this.#weigh(open)
  }

  #weigh({ first, next, start, end }: Open): void {
    const { symbols, enough } = this.#index
    const isWhole = symbols[first - 1] === 0 && symbols[next] === 0
    const needed = enough[first]!
    if (isWhole || (needed > 0 && next - first >= needed)) this.#onFound({ id: this.#idAt(first), start, end, isWhole })
  }

  #idAt(place: number): number {
    const { starts, ids } = this.#index
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (starts[middle]! <= place) low = middle
      else high = middle - 1
    }
    return ids[low]!
  }
}

function symbolsBefore(text: Uint8Array, at: number): number[] {
  const symbols: number[] = []
  for (let index = at - 1; index >= 0 && symbols.length < seedSymbols - 1; index--)
    if (symbolOf[text[index]!]! > 0) symbols.unshift(symbolOf[text[index]!]!)
  return symbols
}

/** The hash and the count that `nextSeed` begins with, and those that it ends with. */
const state = new Int32Array(2)

/** Where symbols end that may be a seed. By itself and of 32-bit numbers alone: all of a text goes through this loop. */
function nextSeed({ bits, bitsShift }: PartIndex, text: Uint8Array, from: number): number {
  const shifts = shiftOf
  const values = valueOf
  const words = bits
  const wordShift = bitsShift
  let hash = state[0]!
  let passed = state[1]!
  let at = from
  for (; at < text.length; at++) {
    const byte = text[at]!
    const shift = shifts[byte]!
    passed = (passed + shift) | 0
    hash = ((hash << shift) + values[byte]!) | 0
    const word = words[hash >>> wordShift]!
    if (((word >>> (hash & 31)) & (word >>> ((hash >>> 5) & 31)) & 1) !== 0 && shift !== 0) break
  }
  state[0] = hash
  state[1] = passed
  return at
}

const startOf = ({ base, places }: Look, at: number) => (places ? places.starts[at]! : base + at)
const endOf = ({ base, places }: Look, at: number) => (places ? places.ends[at]! : base + at + 1)
