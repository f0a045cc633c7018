import type { Places } from './part-finder.ts'
import { symbolOf } from './symbols.ts'

/** A longer line is none of a dump. */
const lineBytesMax = 512
const offsetDigitsMin = 4
const offsetDigitsMax = 16
const lineNumberDigitsMax = 7

/** What stands in lines beside their numbers: what they show, and the same as characters. */
export type DumpColumns = { data: Column; characters: Column }
export type Column = { text: Uint8Array; places: Places }

export type DumpHeard = {
  onLines(columns: DumpColumns): void
  /** A line that is no more of it. */
  onEnd(): void
}

type Offset = { end: number; hasColon: boolean }

/**
 * Finds the lines of what prints numbers before them: `xxd`, `hexdump`, `od`, `cat -n`, `grep -n`. Numbers and the second
 * column would else stand in the midst of what goes on over several lines.
 */
export class DumpLines {
  readonly #heard: DumpHeard
  /** Where a line begins of which the end is not there yet. */
  #lineFrom: number | undefined = 0
  #isTelling = false
  #isInDump = false
  /** Of the lines that are being read. */
  #data: GrowingColumn | undefined
  #characters: GrowingColumn | undefined

  constructor(heard: DumpHeard) {
    this.#heard = heard
  }

  /** `bytes` begin at `base` of the whole text and are new from `known` on; those that `heldFrom` names are there again. */
  read(bytes: Buffer, known: number, base: number): void {
    let at = known
    if (this.#lineFrom === undefined) at = nextLine(bytes, known)
    else at = this.#lineFrom - base
    while (at >= 0 && at < bytes.length) {
      const offset = offsetOf(bytes, at)
      const next = nextLine(bytes, at)
      if (offset && next > 0 && next - at <= lineBytesMax) this.#tell(bytes, { at, offset, end: next - 1, base })
      else if (next < 0 && bytes.length - at <= lineBytesMax && offset !== null) {
        this.#lineFrom = base + at
        this.#isTelling = offset !== undefined
        this.#flush()
        return
      } else this.#endDump()
      at = next
    }
    this.#lineFrom = at < 0 ? undefined : base + at
    this.#flush()
  }

  /** Where one begins that already looks like it. */
  tellingFrom(): number {
    return this.#isTelling && this.#lineFrom !== undefined ? this.#lineFrom : Infinity
  }

  /** From where on a line may still become one of a dump. */
  heldFrom(): number {
    return this.#lineFrom ?? Infinity
  }

  /** The last line has no end. */
  end(bytes: Buffer, base: number): void {
    if (this.#lineFrom === undefined) return
    const at = this.#lineFrom - base
    const offset = at < bytes.length ? offsetOf(bytes, at) : null
    if (offset) this.#tell(bytes, { at, offset, end: bytes.length, base })
    this.#lineFrom = undefined
    this.#flush()
  }

  #tell(bytes: Buffer, { at, offset, end, base }: { at: number; offset: Offset; end: number; base: number }): void {
    this.#isInDump = true
    const split = columnOf(bytes, offset, end)
    this.#data ??= new GrowingColumn(bytes.length - at)
    this.#characters ??= new GrowingColumn(bytes.length - at)
    this.#data.add(bytes, { from: offset.end, end: split, base })
    this.#characters.add(bytes, { from: split, end, base })
  }

  #flush(): void {
    if (this.#data && this.#characters)
      this.#heard.onLines({ data: this.#data.column(), characters: this.#characters.column() })
    this.#data = this.#characters = undefined
  }

  #endDump(): void {
    if (!this.#isInDump) return
    this.#flush()
    this.#heard.onEnd()
    this.#isInDump = false
  }
}

/** -1 where there is none yet. */
function nextLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(10, at)
  return end < 0 ? -1 : end + 1
}

/** Null: it is none. Undefined: it may become one. */
function offsetOf(bytes: Buffer, from: number): Offset | null | undefined {
  let at = from
  while (bytes[at] === 32 || bytes[at] === 9) at++
  const first = at
  let isDecimal = true
  for (; at < bytes.length && isHex(bytes[at]!); at++) if (bytes[at]! > 57) isDecimal = false
  const digits = at - first
  if (digits > offsetDigitsMax) return null
  if (at === bytes.length) return undefined
  const sign = bytes[at]!
  const isEnd = sign === 58 || sign === 32 || sign === 9
  const isNumber = isDecimal && digits > 0 && digits <= lineNumberDigitsMax && sign !== 32
  if (!isEnd || (digits < offsetDigitsMin && !isNumber)) return null
  return { end: at + 1, hasColon: sign === 58 }
}

const isHex = (byte: number) => {
  const symbol = symbolOf[byte]!
  return symbol > 0 && symbol <= 16
}

const [bar, opening, closing] = [124, 62, 60]

/** Where the same is shown as characters: between bars, or after two spaces where a colon stands behind the offset. */
function columnOf(bytes: Buffer, { end: from, hasColon }: Offset, end: number): number {
  for (let at = from + 1; at + 2 < end; at++) {
    if (bytes[at] !== 32 || bytes[at + 1] !== 32) continue
    if (bytes[at + 2] === bar && bytes[end - 1] === bar) return at + 2
    if (bytes[at + 2] === opening && bytes[end - 1] === closing) return at + 2
    if (hasColon && bytes[at - 1] !== 32) return at + 2
  }
  return end
}

class GrowingColumn {
  readonly #text: Uint8Array
  readonly #starts: Float64Array
  #count = 0

  constructor(room: number) {
    this.#text = new Uint8Array(room)
    this.#starts = new Float64Array(room)
  }

  add(bytes: Buffer, { from, end, base }: { from: number; end: number; base: number }): void {
    const [text, starts] = [this.#text, this.#starts]
    let count = this.#count
    for (let at = from; at < end; at++) {
      const byte = bytes[at]!
      if (symbolOf[byte] === 0) continue
      text[count] = byte
      starts[count++] = base + at
    }
    this.#count = count
  }

  column(): Column {
    const starts = this.#starts.subarray(0, this.#count)
    return { text: this.#text.subarray(0, this.#count), places: { starts, ends: starts.map((start) => start + 1) } }
  }
}
