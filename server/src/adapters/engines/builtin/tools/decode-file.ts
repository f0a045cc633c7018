import { isUtf8 } from 'node:buffer'
import { detectCharset } from './detect-charset.ts'
import { measureUtf8 } from './measure-utf8.ts'
import { bytesOf, openCharset, type CharsetName } from './open-charset.ts'

export type DecodedFile = {
  /** Without a byte order mark. Each byte that is no character is one U+FFFD. */
  text: string
  /** As people call it: `UTF-8`, `Shift_JIS`. */
  encoding: string
  /** Whether it is UTF-8 through and through, without a mark, as nearly all files are. */
  isPlain: boolean
  /** Where the bytes of a place of the text begin; a place never lies within a surrogate pair. */
  byteAt: (place: number) => number
  /** The bytes of a text that is put into the file; else the first character that its encoding cannot hold. */
  encode: (text: string) => Buffer | { unfit: string }
  /** What stands before the text. */
  mark: Buffer
}

const titles: Record<CharsetName, string> = {
  'windows-1252': 'Windows-1252',
  'windows-1251': 'Windows-1251',
  'koi8-r': 'KOI8-R',
  ibm866: 'IBM866',
  'iso-8859-5': 'ISO-8859-5',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  gb18030: 'GB 18030',
  big5: 'Big5',
}

/** The text of a file, and the way from each of its characters back to its bytes. Null for what is no text. */
export function decodeFile(bytes: Buffer): DecodedFile | null {
  if (bytes.length > 1 && bytes.length % 2 === 0 && !isUtf32(bytes)) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'UTF-16LE')
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'UTF-16BE')
  }
  if (bytes.subarray(0, 8_000).includes(0)) return null
  const mark = bytes.subarray(0, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
  if (isUtf8(bytes)) return decodeUtf8(bytes, mark)
  const charset = mark.length > 0 ? null : detectCharset(bytes)
  return charset === null ? decodeBroken(bytes, mark) : decodeCharset(bytes, charset)
}

function isUtf32(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0
}

function decodeUtf16(bytes: Buffer, encoding: 'UTF-16LE' | 'UTF-16BE'): DecodedFile {
  const order = (buffer: Buffer) => (encoding === 'UTF-16LE' ? buffer : buffer.swap16())
  return {
    text: order(Buffer.from(bytes.subarray(2))).toString('utf16le'),
    encoding,
    isPlain: false,
    byteAt: (place) => 2 + 2 * place,
    encode: (text) => order(Buffer.from(text, 'utf16le')),
    mark: bytes.subarray(0, 2),
  }
}

function decodeUtf8(bytes: Buffer, mark: Buffer): DecodedFile {
  const text = bytes.toString('utf8', mark.length)
  let known = { place: 0, byte: mark.length }
  // Written in seven bits, it would lose what its escapes mean after a character of more.
  const is2022 = ['\u001B$@', '\u001B$B', '\u001B(J'].some((escape) => text.includes(escape))
  return {
    text,
    encoding: is2022 ? 'ISO-2022-JP' : mark.length > 0 ? 'UTF-8 with a byte order mark' : 'UTF-8',
    isPlain: mark.length === 0 && !is2022,
    byteAt: (place) => {
      // Asked for one place after the other, it counts no byte twice.
      if (place < known.place) known = { place: 0, byte: mark.length }
      known = { place, byte: known.byte + Buffer.byteLength(text.slice(known.place, place)) }
      return known.byte
    },
    encode: (added) => {
      const unfit = is2022 ? /[^\0-\x7f]/u.exec(added)?.[0] : undefined
      return unfit === undefined ? Buffer.from(added) : { unfit }
    },
    mark,
  }
}

/** UTF-8 with bytes among it that are none. */
function decodeBroken(bytes: Buffer, mark: Buffer): DecodedFile {
  return decodeUnits(bytes, mark, {
    encoding: 'UTF-8 with bytes that are none',
    lengthAt: (at) => measureUtf8(bytes, at),
    decode: (from, to) => bytes.toString('utf8', from, to),
    encode: (text) => (text.includes('\ufffd') ? { unfit: '\ufffd' } : Buffer.from(text)),
  })
}

function decodeCharset(bytes: Buffer, name: CharsetName): DecodedFile {
  const { characters, codes } = openCharset(name)
  const lengthAt = (at: number): number => {
    const [one, two, three] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!]
    if (characters.has((one << 8) | two)) return 2
    if (characters.has((one << 16) | (two << 8) | three)) return 3
    if (characters.has(one)) return 1
    const isLong = name === 'gb18030' && two >= 0x30 && two <= 0x39 && three >= 0x81 && at + 4 <= bytes.length
    return isLong && long(bytes, at) !== null ? 4 : 0
  }
  return decodeUnits(bytes, bytes.subarray(0, 0), {
    encoding: titles[name],
    lengthAt,
    decode: (from, to) => (to - from === 4 ? long(bytes, from)! : characters.get(bytes.readUIntBE(from, to - from))!),
    encode: (text) => {
      const pieces: Buffer[] = []
      for (const [character] of text.matchAll(/[\0-\x7f]+|[^\0-\x7f]/gu)) {
        const code = codes.get(character)
        if (code === undefined && character.charCodeAt(0) > 0x7f) return { unfit: character }
        pieces.push(code === undefined ? Buffer.from(character) : bytesOf(code))
      }
      return Buffer.concat(pieces)
    },
  })
}

function long(bytes: Buffer, at: number): string | null {
  const character = new TextDecoder('gb18030').decode(bytes.subarray(at, at + 4))
  return [...character].length === 1 && character !== '\ufffd' ? character : null
}

type Units = Pick<DecodedFile, 'encoding' | 'encode'> & {
  /** Bytes of the character at a place; 0: there is none. */
  lengthAt: (at: number) => number
  decode: (from: number, to: number) => string
}

function decodeUnits(bytes: Buffer, mark: Buffer, { encoding, encode, lengthAt, decode }: Units): DecodedFile {
  const pieces: string[] = []
  // No character has fewer bytes than UTF-16 has units for it.
  const starts = new Uint32Array(bytes.length + 1)
  let units = 0
  let at = mark.length
  while (at < bytes.length) {
    const plainFrom = at
    while (at < bytes.length && bytes[at]! < 0x80) starts[units++] = at++
    if (at > plainFrom) pieces.push(bytes.toString('latin1', plainFrom, at))
    if (at === bytes.length) break
    const length = lengthAt(at)
    const piece = length === 0 ? '\ufffd' : decode(at, at + length)
    for (let unit = 0; unit < piece.length; unit++) starts[units++] = at
    pieces.push(piece)
    at += length || 1
  }
  starts[units] = bytes.length
  return { text: pieces.join(''), encoding, isPlain: false, byteAt: (place) => starts[place]!, encode, mark }
}
