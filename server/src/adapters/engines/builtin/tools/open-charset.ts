/** Encodings in which a character is one byte or a few, as browsers know them. */
export type CharsetName =
  | 'windows-1252'
  | 'windows-1251'
  | 'koi8-r'
  | 'ibm866'
  | 'iso-8859-5'
  | 'shift_jis'
  | 'euc-jp'
  | 'euc-kr'
  | 'gb18030'
  | 'big5'

/** Bytes as a number, the first one highest, and the character that they are. */
export type Charset = { characters: Map<number, string>; codes: Map<string, number> }

const multibyte = new Set<CharsetName>(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5'])
const opened = new Map<CharsetName, Charset>()

/** Its table, of up to 33,000 characters, made once. The longer codes of GB 18030 are not in it. */
export function openCharset(name: CharsetName): Charset {
  const known = opened.get(name)
  if (known) return known
  const codes = codesToTry(name)
  // A line feed after each, so that bytes that are no character cannot take those of the next one.
  const bytes = Buffer.allocUnsafe(4 * codes.length)
  let length = 0
  for (const code of codes) {
    const size = sizeOf(code)
    bytes.writeUIntBE(code, length, size)
    bytes[length + size] = 0x0a
    length += size + 1
  }
  const charset: Charset = { characters: new Map(), codes: new Map() }
  for (const [index, character] of new TextDecoder(name).decode(bytes.subarray(0, length)).split('\n').entries()) {
    const code = codes[index]
    const isOne = character.length === 1 || (character.length === 2 && character.codePointAt(0)! > 0xffff)
    if (code === undefined || !isOne || character === '\ufffd') continue
    charset.characters.set(code, character)
    if (!charset.codes.has(character)) charset.codes.set(character, code)
  }
  opened.set(name, charset)
  return charset
}

export function bytesOf(code: number): Buffer {
  const bytes = Buffer.alloc(sizeOf(code))
  bytes.writeUIntBE(code, 0, bytes.length)
  return bytes
}

function sizeOf(code: number): number {
  return code < 0x100 ? 1 : code < 0x10000 ? 2 : 3
}

function codesToTry(name: CharsetName): number[] {
  const codes = range(0x80, 0xff)
  if (!multibyte.has(name)) return codes
  for (const lead of range(0x81, 0xfe)) for (const trail of range(0x40, 0xfe)) codes.push((lead << 8) | trail)
  if (name !== 'euc-jp') return codes
  for (const lead of range(0xa1, 0xfe))
    for (const trail of range(0xa1, 0xfe)) codes.push((0x8f << 16) | (lead << 8) | trail)
  return codes
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
