/** Characters as they are written, and for each of them the byte of the secret that it comes from. */
export type Written = { text: string; from: number[] }

/** How a secret may be written: what is in it is looked for without signs, and in any case. */
export type Form = {
  written: Written
  /** Letters that may also be words, so that not every secret is looked for in it. */
  isProse: boolean
}

/** Up to so many bytes a secret is looked for in every form, and up to so many in those that are common. */
export const everyFormBytesMax = 512
export const commonFormBytesMax = 4_096

/** What the numbers, signs and alphabets are that a secret may be written in. */
export function* writtenForms(value: Buffer): Generator<Form> {
  const plain: Written = { text: value.toString('latin1'), from: [...value.keys()] }
  yield prose(plain)
  yield* encoded(base64(plain))
  yield coded(byByte(value, hex))
  yield* encoded(base32(plain, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'))
  if (value.length > commonFormBytesMax) return
  yield prose(reversed(plain))
  yield prose(turned(plain))
  yield* numbers(value)
  yield* encoded(words(value))
  if (value.length > everyFormBytesMax) return
  yield* rare(value, plain)
}

const prose = (written: Written): Form => ({ written, isProse: true })
const coded = (written: Written): Form => ({ written, isProse: false })
const encoded = (all: Written[]): Form[] => all.map(coded)

type Write = (byte: number) => string

const hex: Write = (byte) => byte.toString(16).padStart(2, '0')
const octal: Write = (byte) => byte.toString(8).padStart(3, '0')

function byByte(value: Uint8Array, write: Write): Written {
  const from: number[] = []
  let text = ''
  for (const [at, byte] of value.entries()) {
    const each = write(byte)
    text += each
    for (let count = 0; count < each.length; count++) from.push(at)
  }
  return { text, from }
}

/** Lists of bytes, escapes of programming languages, numbers of characters. */
function* numbers(value: Buffer): Generator<Form> {
  const writes: Write[] = [
    (byte) => `0x${hex(byte)}`,
    (byte) => `x${hex(byte)}`,
    (byte) => String(byte),
    octal,
    (byte) => `0${octal(byte)}`,
    (byte) => `u00${hex(byte)}`,
  ]
  for (const write of writes) yield coded(byByte(value, write))
}

/** `od` and `hexdump` show words of two bytes, the second of which comes first. */
function words(value: Buffer): Written[] {
  const pairs = [0, 1].flatMap((offset) => [
    byWord(value, { offset, bytes: 2, write: (word) => word.toString(8).padStart(6, '0') }),
    byWord(value, { offset, bytes: 2, write: (word) => word.toString(16).padStart(4, '0') }),
  ])
  return pairs
}

type Words = { offset: number; bytes: number; write: (word: number) => string }

function byWord(value: Buffer, { offset, bytes, write }: Words): Written {
  const from: number[] = []
  let text = ''
  for (let at = offset; at + bytes <= value.length; at += bytes) {
    const each = write(value.readUIntLE(at, bytes))
    text += each
    for (let count = 0; count < each.length; count++) from.push(at)
  }
  return { text, from }
}

function* rare(value: Buffer, plain: Written): Generator<Form> {
  const more: Write[] = [
    (byte) => `0${byte.toString(8)}`,
    (byte) => byte.toString(8),
    (byte) => `0o${byte.toString(8)}`,
    (byte) => String(byte).padStart(3, '0'),
    (byte) => `chr${byte}`,
    (byte) => `u${hex(byte)}`,
    (byte) => `u000000${hex(byte)}`,
    (byte) => `25${hex(byte)}`,
    (byte) => byte.toString(2).padStart(8, '0'),
    (byte) => byte.toString(2).padStart(7, '0'),
    (byte) => `0b${byte.toString(2)}`,
    (byte) => `0b${byte.toString(2).padStart(8, '0')}`,
  ]
  for (const write of more) yield coded(byByte(value, write))
  for (const write of escapes) yield prose(byByte(value, write))
  for (const offset of [0, 1]) yield coded(byWord(value, { offset, bytes: 2, write: (word) => String(word) }))
  for (const offset of [0, 1, 2, 3])
    yield coded(byWord(value, { offset, bytes: 4, write: (word) => word.toString(16).padStart(8, '0') }))
  yield prose(turnedFar(plain))
  yield* encoded(base32(plain, '0123456789ABCDEFGHIJKLMNOPQRSTUV'))
  yield* encoded(base64(reversed(plain)))
  for (const wide of [widened(plain, (sign) => `${sign}\0`), widened(plain, (sign) => `\0${sign}`)])
    yield* encoded(base64(wide))
  for (const once of base64(plain)) {
    yield* encoded(base64(once))
    yield coded(again(once, (sign) => hex(sign.charCodeAt(0))))
  }
  yield* encoded(base64(byByte(value, hex)))
  for (const alphabet of [ascii85, python85]) yield* encoded(base85(plain, alphabet))
  yield* encoded(uuencode(plain))
}

const signs = (write: (byte: number) => string, others = /[^\w.~-]/): Write => {
  return (byte) => {
    const sign = String.fromCharCode(byte)
    return byte > 127 || others.test(sign) ? write(byte) : sign
  }
}
/** What JavaScript writes otherwise in a part of an address. */
const addressSigns = /[^\w.~!'()*-]/

/** Only what is neither letter nor digit is written otherwise. Signs do not count, so `%2f` is `2f`. */
const escapes: Write[] = [
  (byte) => (byte >= 32 && byte < 127 && byte !== 61 ? String.fromCharCode(byte) : hex(byte)),
  signs(hex),
  signs((byte) => `25${hex(byte)}`),
  signs((byte) => `25${hex(byte)}`, addressSigns),
  signs((byte) => `2525${hex(byte)}`, addressSigns),
  signs((byte) => `u00${hex(byte)}`),
  signs((byte) => `x${hex(byte)}`),
  signs(octal),
  signs((byte) => String(byte)),
  signs((byte) => ({ 34: 'quot', 38: 'amp', 39: '39', 60: 'lt', 62: 'gt' })[byte] ?? ''),
  signs((byte) => ({ 9: 't', 10: 'n', 13: 'r' })[byte] ?? ''),
]

function reversed({ text, from }: Written): Written {
  return { text: [...text].toReversed().join(''), from: from.toReversed() }
}

/** By thirteen letters of the alphabet. */
function turned({ text, from }: Written): Written {
  const turn = (sign: string) => {
    const [first, code] = [sign < 'a' ? 65 : 97, sign.charCodeAt(0)]
    return String.fromCharCode(((code - first + 13) % 26) + first)
  }
  return { text: text.replace(/[A-Za-z]/g, turn), from }
}

/** By forty-seven of the signs that can be seen. */
function turnedFar({ text, from }: Written): Written {
  const turn = (sign: string) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33)
  return { text: text.replace(/[!-~]/g, turn), from }
}

const widened = (written: Written, widen: (sign: string) => string) => again(written, widen)

function again({ text, from }: Written, write: (sign: string) => string): Written {
  let out = ''
  const origins: number[] = []
  for (let at = 0; at < text.length; at++) {
    const each = write(text[at]!)
    out += each
    for (let count = 0; count < each.length; count++) origins.push(from[at]!)
  }
  return { text: out, from: origins }
}

type Groups = { bytes: number; signs: number; bits: number; write: (bytes: Buffer) => string }

/** At each place of a group of bytes that a text may begin at, without what depends on its neighbors. */
function byGroup({ text, from }: Written, { bytes, signs: perGroup, bits, write }: Groups): Written[] {
  return Array.from({ length: bytes }, (_, offset) => {
    const filled = Math.ceil((offset + text.length) / bytes) * bytes
    const padded = Buffer.alloc(filled)
    padded.write(text, offset, 'latin1')
    const all = write(padded)
    // Where a group is one number, each of its signs depends on all of its bytes.
    const [first, last] = bits
      ? [Math.ceil((offset * 8) / bits), Math.floor(((offset + text.length) * 8) / bits)]
      : [Math.ceil(offset / bytes) * perGroup, Math.floor((offset + text.length) / bytes) * perGroup]
    const origins: number[] = []
    for (let at = first; at < last; at++) {
      const byte = bits ? Math.floor((at * bits) / 8) : Math.floor(at / perGroup) * bytes
      origins.push(from[Math.max(0, byte - offset)]!)
    }
    return { text: all.slice(first, last), from: origins }
  })
}

const base64 = (written: Written) =>
  byGroup(written, { bytes: 3, signs: 4, bits: 6, write: (bytes) => bytes.toString('base64') })

const base32 = (written: Written, alphabet: string) =>
  byGroup(written, { bytes: 5, signs: 8, bits: 5, write: (bytes) => inBits(bytes, 5, (number) => alphabet[number]!) })

/** Lines of which each begins with its length: only what stands within one is found whole. */
const uuencode = (written: Written) =>
  byGroup(written, {
    bytes: 3,
    signs: 4,
    bits: 6,
    write: (bytes) => inBits(bytes, 6, (number) => String.fromCharCode(32 + number)),
  })

function inBits(bytes: Buffer, width: number, write: (number: number) => string): string {
  let [text, held, count] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (count += 8; count >= width;) {
      count -= width
      text += write((held >>> count) & ((1 << width) - 1))
    }
    held &= (1 << count) - 1
  }
  return text
}

const ascii85 = Array.from({ length: 85 }, (_, at) => String.fromCharCode(33 + at)).join('')
const python85 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

function base85(written: Written, alphabet: string): Written[] {
  const write = (bytes: Buffer) => {
    let text = ''
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      let [group, number] = ['', bytes.readUInt32BE(at)]
      for (let count = 0; count < 5; count++) {
        group = alphabet[number % 85]! + group
        number = Math.floor(number / 85)
      }
      text += group
    }
    return text
  }
  return byGroup(written, { bytes: 4, signs: 5, bits: 0, write })
}
