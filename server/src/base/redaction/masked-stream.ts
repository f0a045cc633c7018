import type { Automaton, Ending, Pattern } from './automaton.ts'
import { HiddenParts } from './hidden-parts.ts'
import { PackedRuns } from './packed-runs.ts'
import type { FoundPart } from './part-finder.ts'
import type { PartIndex } from './part-index.ts'
import { isWordByte, looksRandom, type TokenForm } from './token-forms.ts'

/** What is looked for: patterns are numbered, and so are forms. */
export type Matcher = {
  automaton: Automaton
  /** Secrets and parts of them by letters and digits alone. */
  parts: PartIndex
  /** By number of the pattern: what it is a secret of. */
  names: string[]
  /** By number of the prefix. Those after them begin what is packed. */
  forms: TokenForm[]
  /** More is held back only of what a hostile program prints: line ends without number within a secret. */
  heldBytesMax: number
}

/** A whole secret in what was written so far. `end` counts all bytes of the stream. */
export type Hit = { id: number; end: number }

/**
 * The beginning of a secret that a text ends in is taken out if it is as long as this, and such a share of it: many
 * begin with what is no secret, such as `postgres://`.
 */
const partBytesMin = 8
const partShareMin = 0.25

type Range = {
  start: number
  end: number
  /** -1: known by its form. */
  id: number
  /** All of a secret is there. */
  isWhole: boolean
  /** Its beginning has been let go already, and so has the mark that stands for it. */
  isMarked: boolean
}

/** A prefix of a form, of which more may follow. */
type Candidate = { form: TokenForm; start: number }

const nothing = Buffer.alloc(0)

/**
 * One text that comes in pieces. Of each piece that much is held back which may still become a secret, and nothing else;
 * so it is the same where a text is cut. A secret that is found does not end the search: it may be the beginning of a
 * longer one, or overlap with the next, and all that is touched is taken out.
 */
export class MaskedStream {
  /** Whether all that was written so far has come out as it was, or is held. */
  isUntouched = true
  readonly #matcher: Matcher
  readonly #onHit: (hit: Hit) => void
  #at: number
  readonly #parts: HiddenParts
  /** Of what was packed itself nothing is unpacked. */
  readonly #packed: PackedRuns | undefined
  #held: Buffer = nothing
  /** How many bytes came before those that are held, and the last of them. */
  #passed = 0
  #before: number | undefined
  #ranges: Range[] = []
  #candidates: Candidate[] = []
  /** A token that went on when the last piece ended. */
  #running: TokenForm | undefined
  /** Where the run of each form ends that was looked at last: prefixes within it are not to make us look again. */
  readonly #runEnds = new Map<TokenForm, number>()

  constructor(matcher: Matcher, onHit: (hit: Hit) => void, isUnpacked = false) {
    this.#matcher = matcher
    this.#onHit = onHit
    this.#at = matcher.automaton.start
    this.#parts = new HiddenParts(matcher.parts, (found) => this.#takePart(found))
    if (isUnpacked) return
    this.#packed = new PackedRuns({
      search: (bytes) => idsIn(matcher, bytes),
      onFound: (found) => this.#takePart({ ...found, isWhole: true }),
    })
  }

  /** What of the text so far can be let go, with the secrets taken out. */
  write(piece: Uint8Array): Buffer {
    const known = this.#held.length
    const bytes = known ? Buffer.concat([this.#held, piece]) : asBuffer(piece)
    this.#lookAt(bytes, known)
    const open = spanOf(bytes, bytes.length, this.#matcher.automaton.depth(this.#at))
    const heldFrom = Math.min(
      bytes.length - open,
      this.#parts.heldFrom(bytes, this.#passed) - this.#passed,
      (this.#packed?.heldFrom() ?? Infinity) - this.#passed,
      ...this.#candidates.map(({ start }) => start),
    )
    if (bytes.length - heldFrom > this.#matcher.heldBytesMax) return this.#letGo(bytes)
    return this.#emit(bytes, heldFrom)
  }

  /** All of a text at once, of which nothing came before and nothing comes after. */
  whole(text: Buffer): Buffer {
    this.#lookAt(text, 0)
    return this.#letGo(text)
  }

  /** What is held, for who wants to see it at once: masked, and up to where it looks like the beginning of a secret. */
  peek(): Buffer {
    const part = this.#matcher.automaton.beginning(this.#at, isTelling)
    const starts = this.#candidates.map(({ start }) => start)
    if (part) starts.push(this.#held.length - spanOf(this.#held, this.#held.length, part.length))
    const telling = Math.min(this.#parts.tellingFrom(), this.#packed?.heldFrom() ?? Infinity)
    const until = Math.min(this.#held.length, telling - this.#passed, ...starts)
    const out: Buffer[] = []
    let from = 0
    for (const range of inOrder([...this.#ranges])) {
      if (range.start >= until) break
      out.push(this.#held.subarray(from, range.start))
      if (!range.isMarked) out.push(markOf(this.#matcher.names[range.id]))
      from = range.end
    }
    if (from < until) out.push(this.#held.subarray(from, until))
    return Buffer.concat(out)
  }

  /** What was held. */
  end(): Buffer {
    return this.#letGo(this.#held)
  }

  #lookAt(bytes: Buffer, known: number): void {
    const candidates = this.#candidates
    this.#candidates = []
    this.#runEnds.clear()
    this.#goOn(bytes, known)
    for (const candidate of candidates) this.#weigh(bytes, candidate)
    this.#packed?.read(bytes, this.#passed)
    this.#at = this.#matcher.automaton.scan(bytes, {
      from: known,
      at: this.#at,
      onEnding: (ending, index) => this.#take(bytes, ending, index),
    })
    this.#parts.read(bytes, known, this.#passed)
  }

  #letGo(bytes: Buffer): Buffer {
    const { automaton } = this.#matcher
    this.#parts.end(bytes, this.#passed)
    this.#packed?.end(bytes, this.#passed)
    for (const { form, start } of this.#candidates) {
      const from = start + form.prefix.length
      if (isToken(form, bytes.subarray(from)))
        this.#add({ start, end: bytes.length, id: -1, isWhole: false, isMarked: false })
    }
    const part = automaton.beginning(this.#at, isTelling)
    if (part) {
      const start = bytes.length - spanOf(bytes, bytes.length, part.length)
      this.#add({ start, end: endWithoutLineEnds(bytes), id: part.id, isWhole: false, isMarked: false })
    }
    this.#at = automaton.start
    this.#candidates = []
    this.#running = undefined
    return this.#emit(bytes, bytes.length)
  }

  #take(bytes: Buffer, { id, length, prefixId, prefixLength }: Ending, index: number): void {
    const end = index + 1
    if (id >= 0) {
      this.#onHit({ id, end: this.#passed + end })
      this.#add({ start: end - spanOf(bytes, end, length), end, id, isWhole: true, isMarked: false })
    }
    if (prefixId < 0) return
    const start = end - prefixLength
    // A form is not wrapped over lines, so its prefix is in one piece.
    if (spanOf(bytes, end, prefixLength) !== prefixLength) return
    const before = start > 0 ? bytes[start - 1] : this.#before
    if (isWordByte(before)) return
    const form = this.#matcher.forms[prefixId]
    if (form) this.#weigh(bytes, { form, start })
    else if (this.#packed) {
      this.#packed.begin(this.#passed + start)
      this.#packed.read(bytes, this.#passed)
    }
  }

  /** A candidate is a token, or none, or it cannot be told before more is there. */
  #weigh(bytes: Buffer, { form, start }: Candidate): void {
    const from = start + form.prefix.length
    const end = this.#endOfRun(form, bytes, from)
    const isOpen = end === bytes.length
    const count = end - from
    const mayBecome = count < form.charactersMin || (form.charactersMax < Infinity && count <= form.charactersMax)
    if (isOpen && mayBecome) {
      this.#candidates.push({ form, start })
    } else if (isToken(form, bytes.subarray(from, end))) {
      this.#add({ start, end, id: -1, isWhole: false, isMarked: false })
      if (isOpen) this.#running = form
    }
  }

  #endOfRun(form: TokenForm, bytes: Buffer, from: number): number {
    const known = this.#runEnds.get(form) ?? 0
    const end = from < known ? known : endOfRun(form, bytes, from)
    this.#runEnds.set(form, end)
    return end
  }

  /** The rest of a token of any length, whose beginning was taken out already. */
  #goOn(bytes: Buffer, from: number): void {
    if (!this.#running) return
    const end = this.#endOfRun(this.#running, bytes, from)
    if (end < bytes.length) this.#running = undefined
    const last = this.#ranges.at(-1)
    if (last && last.end === from) last.end = end
    else if (end > from) this.#add({ start: from, end, id: -1, isWhole: false, isMarked: true })
  }

  #takePart({ id, start, end, isWhole }: FoundPart): void {
    if (id >= 0) this.#onHit({ id, end })
    // What was let go, because more would have been held than may be, cannot be taken out any more.
    if (end <= this.#passed) return
    this.#add({ start: Math.max(0, start - this.#passed), end: end - this.#passed, id, isWhole, isMarked: false })
  }

  #add(range: Range): void {
    this.isUntouched = false
    this.#ranges.push(range)
  }

  #emit(bytes: Buffer, heldFrom: number): Buffer {
    if (this.#ranges.length > 1) this.#ranges = inOrder(this.#ranges)
    const isPlain = this.#ranges.length === 0
    const out = isPlain ? [bytes.subarray(0, heldFrom)] : this.#cutOut(bytes, heldFrom)
    this.#ranges = this.#ranges.map((range) => ({ ...range, start: range.start - heldFrom, end: range.end - heldFrom }))
    this.#candidates = this.#candidates.map(({ form, start }) => ({ form, start: start - heldFrom }))
    if (heldFrom > 0) this.#before = bytes[heldFrom - 1]
    this.#passed += heldFrom
    // A copy: who wrote the piece may use its memory again.
    this.#held = heldFrom < bytes.length ? Buffer.from(bytes.subarray(heldFrom)) : nothing
    return out.length === 1 ? out[0]! : Buffer.concat(out)
  }

  /** Keeps the ranges, and parts of ranges, that are held. */
  #cutOut(bytes: Buffer, heldFrom: number): Buffer[] {
    const out: Buffer[] = []
    let from = 0
    const ranges = this.#ranges
    this.#ranges = []
    for (const range of ranges) {
      if (range.start >= heldFrom) {
        this.#ranges.push(range)
        continue
      }
      out.push(bytes.subarray(from, range.start))
      if (!range.isMarked) out.push(markOf(this.#matcher.names[range.id]))
      from = Math.min(range.end, heldFrom)
      if (range.end > heldFrom) this.#ranges.push({ ...range, start: heldFrom, isMarked: true })
    }
    out.push(bytes.subarray(from, heldFrom))
    return out
  }
}

function idsIn(matcher: Matcher, bytes: Buffer): Set<number> {
  const ids = new Set<number>()
  new MaskedStream(matcher, ({ id }) => ids.add(id), true).whole(bytes)
  return ids
}

const markOf = (name: string | undefined) => Buffer.from(name === undefined ? '[redacted]' : `[redacted:${name}]`)

/** Those that overlap are one. */
function inOrder(ranges: Range[]): Range[] {
  const all: Range[] = []
  for (const range of ranges.sort(byPlace)) {
    const last = all.at(-1)
    if (last && range.start < last.end) all[all.length - 1] = joined(last, range)
    else all.push(range)
  }
  return all
}

const byPlace = (one: Range, other: Range) =>
  one.start - other.start || other.end - one.end || Number(other.isWhole) - Number(one.isWhole) || other.id - one.id

/** The one that begins first gives its name, or of those the longer; a secret's name says more than a form. */
function joined(first: Range, second: Range): Range {
  return {
    start: first.start,
    end: Math.max(first.end, second.end),
    id: first.id >= 0 ? first.id : second.id,
    isWhole: first.id >= 0 ? first.isWhole : second.isWhole,
    isMarked: first.isMarked || second.isMarked,
  }
}

function isTelling({ bytes, isPrefix }: Pattern, length: number): boolean {
  return !isPrefix && length >= partBytesMin && length >= bytes.length * partShareMin
}

const asBuffer = (bytes: Uint8Array) =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** How many bytes before a place hold so many that are no line ends. Line ends before the first of them do not count. */
function spanOf(bytes: Uint8Array, end: number, length: number): number {
  // Most have none, and are not gone through by hand.
  const near = bytes.subarray(Math.max(0, end - length), end)
  if (!near.includes(10) && !near.includes(13)) return length
  let at = end
  for (let left = length; left > 0;) {
    const byte = bytes[--at]!
    if (byte !== 10 && byte !== 13) left--
  }
  return end - at
}

function endWithoutLineEnds(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === 10 || bytes[end - 1] === 13)) end--
  return end
}

function endOfRun({ alphabet }: TokenForm, bytes: Uint8Array, from: number): number {
  let end = from
  while (end < bytes.length && alphabet[bytes[end]!] === 1) end++
  return end
}

function isToken({ charactersMin, charactersMax }: TokenForm, characters: Uint8Array): boolean {
  if (characters.length < charactersMin || characters.length > charactersMax) return false
  return looksRandom(characters.subarray(0, charactersMin))
}
