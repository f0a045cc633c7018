import type { Places } from './part-finder.ts'
import { symbolOf } from './symbols.ts'

const escape = 0x1b
const backspace = 0x08
/** What full-width letters begin with, and the second byte of each. */
const wideLead = 0xef
const wideSeconds = [0xbc, 0xbd]

/** Letters and digits with the places in the whole text that they come from. */
export type PlacedSymbols = { text: Uint8Array; places: Places }

/** Whether a piece has what letters hide behind. What has NULs is no text for a terminal. */
export function hasDisguise(piece: Buffer): boolean {
  const isMeant = piece.includes(escape) || piece.includes(backspace) || piece.includes(wideLead)
  return isMeant && !piece.includes(0)
}

/**
 * Takes letters and digits out of a text as somebody reads it on a terminal: without the codes of colors, without what is
 * printed over the letter before it, and with full-width letters as the usual ones. A text may be cut anywhere.
 */
export class PlainSymbols {
  /** Of a code of the terminal: 0 none, 1 its first byte, 2 what follows it. Of a wide letter: 3, 4. */
  #state = 0
  #second = 0
  #last = 0
  #isBack = false
  #wasBack = false
  /** Where the letter that is being read began. */
  #from = 0

  /** `last` is the letter before, if there was one. */
  constructor(last: number | undefined) {
    this.#last = last ?? 0
  }

  read(piece: Uint8Array, base: number): PlacedSymbols {
    const text = new Uint8Array(piece.length)
    const [starts, ends] = [new Float64Array(piece.length), new Float64Array(piece.length)]
    let count = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = this.#step(piece[at]!, base + at)
      // What is printed over a letter goes with it.
      if (byte < 0 && count > 0) ends[count - 1] = base + at + 1
      if (byte <= 0) continue
      text[count] = byte
      starts[count] = this.#from
      ends[count++] = base + at + 1
    }
    return {
      text: text.subarray(0, count),
      places: { starts: starts.subarray(0, count), ends: ends.subarray(0, count) },
    }
  }

  /** From where on a letter is not yet there. */
  heldFrom(): number {
    return this.#state > 2 ? this.#from : Infinity
  }

  /** 0: no letter. Less: the letter before it, printed again. */
  #step(byte: number, at: number): number {
    const state = this.#state
    if (state === 1) {
      this.#state = byte === 0x5b ? 2 : 0
      if (byte === 0x5b) return 0
    } else if (state === 2) {
      // Parameters go on up to a letter; anything else was none of it.
      if (byte >= 0x20 && byte < 0x40) return 0
      this.#state = 0
      if (byte >= 0x40 && byte < 0x7f) return 0
    } else if (state === 3) {
      this.#state = wideSeconds.includes(byte) ? 4 : 0
      this.#second = byte
      if (this.#state === 4) return 0
    } else if (state === 4) {
      this.#state = 0
      const letter = byte - (this.#second === 0xbc ? 0x60 : 0x20)
      return symbolOf[letter] ? this.#letter(letter) : 0
    }
    this.#from = at
    if (byte === escape) this.#state = 1
    else if (byte === wideLead) this.#state = 3
    else if (byte === backspace) this.#isBack = true
    else if (symbolOf[byte]! > 0) return this.#letter(byte)
    else if (byte < 0x80) this.#letter(byte)
    return 0
  }

  #letter(byte: number): number {
    // Where one goes back after each letter, two that are the same are two.
    const isAgain = this.#isBack && !this.#wasBack && byte === this.#last
    this.#wasBack = this.#isBack
    this.#isBack = false
    this.#last = byte
    return isAgain ? -1 : byte
  }
}
