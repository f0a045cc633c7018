import { DumpLines, type Column, type DumpHeard, type DumpColumns } from './dump-lines.ts'
import { PartFinder, type FoundPart } from './part-finder.ts'
import { undetectedSymbols, type PartIndex } from './part-index.ts'
import { hasDisguise, PlainSymbols, type PlacedSymbols } from './plain-symbols.ts'
import { symbolOf } from './symbols.ts'

type OnFound = (found: FoundPart) => void

/**
 * Looks through one text for secrets and parts of them by letters and digits alone: as it is, and where it needs it without
 * what a terminal does not show and without the numbers of its lines.
 */
export class HiddenParts implements DumpHeard {
  readonly #main: PartFinder
  readonly #index: PartIndex
  readonly #onFound: OnFound
  readonly #dump: DumpLines
  /** From the first disguise on. */
  #plain: { symbols: PlainSymbols; view: PlacedView } | undefined
  #columns: { data: PlacedView; characters: PlacedView } | undefined

  constructor(index: PartIndex, onFound: OnFound) {
    this.#index = index
    this.#onFound = onFound
    this.#main = new PartFinder(index, onFound)
    this.#dump = new DumpLines(this)
  }

  /** `bytes` begin at `base` of the whole text and are new from `known` on; those that `heldFrom` names are there again. */
  read(bytes: Buffer, known: number, base: number): void {
    const piece = bytes.subarray(known)
    if (!this.#plain && hasDisguise(piece)) {
      const before = placed(bytes.subarray(0, known), base)
      this.#plain = { symbols: new PlainSymbols(before.text.at(-1)), view: new PlacedView(this.#main, before) }
    }
    if (this.#plain) this.#plain.view.add(this.#plain.symbols.read(piece, base + known))
    else this.#main.scan({ text: bytes, from: known, base })
    this.#dump.read(bytes, known, base)
  }

  /** From where on in the whole text something may still become a secret. */
  heldFrom(bytes: Buffer, base: number): number {
    const main = this.#plain
      ? Math.min(this.#plain.view.heldFrom(), this.#plain.symbols.heldFrom())
      : this.#main.heldFrom({ text: bytes, base })
    const { data, characters } = this.#columns ?? {}
    return Math.min(main, this.#dump.heldFrom(), data?.heldFrom() ?? Infinity, characters?.heldFrom() ?? Infinity)
  }

  /** From where on what is held looks like a secret already. */
  tellingFrom(): number {
    const { data, characters } = this.#columns ?? {}
    const finders = [this.#main, data?.finder, characters?.finder]
    return Math.min(this.#dump.tellingFrom(), ...finders.map((finder) => finder?.tellingFrom() ?? Infinity))
  }

  /** Nothing more comes. */
  end(bytes: Buffer, base: number): void {
    this.#dump.end(bytes, base)
  }

  onLines({ data, characters }: DumpColumns): void {
    this.#columns ??= { data: this.#openView(), characters: this.#openView() }
    this.#columns.data.add(data)
    this.#columns.characters.add(characters)
  }

  onEnd(): void {
    this.#columns = undefined
  }

  #openView(): PlacedView {
    return new PlacedView(new PartFinder(this.#index, this.#onFound), placed(new Uint8Array(), 0))
  }
}

/** A text of which each letter has its place in the whole, with as much of what came before as a secret may begin in unseen. */
class PlacedView {
  readonly finder: PartFinder
  #before: PlacedSymbols

  constructor(finder: PartFinder, before: PlacedSymbols) {
    this.finder = finder
    this.#before = lastOf(before)
  }

  add(column: Column): void {
    const all = joined(this.#before, column)
    this.finder.scan({ ...all, from: this.#before.text.length, base: 0 })
    this.#before = lastOf(all)
  }

  heldFrom(): number {
    return this.finder.heldFrom({ ...this.#before, base: 0 })
  }
}

function placed(bytes: Uint8Array, base: number): PlacedSymbols {
  const kept = [...bytes.keys()].filter((at) => symbolOf[bytes[at]!]! > 0)
  const starts = Float64Array.from(kept, (at) => base + at)
  return {
    text: Uint8Array.from(kept, (at) => bytes[at]!),
    places: { starts, ends: starts.map((start) => start + 1) },
  }
}

function lastOf({ text, places: { starts, ends } }: PlacedSymbols): PlacedSymbols {
  const from = Math.max(0, text.length - undetectedSymbols)
  return { text: text.slice(from), places: { starts: starts.slice(from), ends: ends.slice(from) } }
}

function joined(one: PlacedSymbols, other: PlacedSymbols): PlacedSymbols {
  return {
    text: Buffer.concat([one.text, other.text]),
    places: {
      starts: joinedNumbers(one.places.starts, other.places.starts),
      ends: joinedNumbers(one.places.ends, other.places.ends),
    },
  }
}

function joinedNumbers(one: Float64Array, other: Float64Array): Float64Array {
  const all = new Float64Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
