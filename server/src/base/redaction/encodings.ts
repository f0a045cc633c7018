import { limits } from '#base/limits.ts'

/** Shorter ones would hit ordinary text. */
const encodedBytesMin = 6
/** A longer one is a file; what is as long again for each of its encodings takes memory and time. */
const longCharactersMin = 1024
/** A line of a key or a certificate, which by itself gives away a part of it. */
const keyLine = /^[A-Za-z0-9+/=_-]{32,}$/

/**
 * The byte strings by which a secret is known again: as it is, and in the encodings that programs write it in. They are
 * without line ends, because these do not count when a text is looked through. All are made of UTF-8 bytes: characters
 * beyond ASCII would else be missed once they are quoted or turned round.
 */
export function encodingsOf(value: string): Buffer[] {
  const known = new Map<string, Buffer>()
  const add = (encoded: Buffer | string) => {
    const bytes = withoutLineEnds(Buffer.from(encoded as string))
    if (bytes.length >= encodedBytesMin) known.set(bytes.toString('latin1'), bytes)
  }
  // A file ends with a line end that a variable made of it has lost.
  for (const whole of new Set([value, value.trim(), ...passwordsIn(value)])) {
    if (Buffer.byteLength(whole) < limits.secretBytesMin) continue
    const encoders = whole.length > longCharactersMin ? forLong : all
    for (const encode of encoders) for (const encoded of encode(whole)) add(encoded)
  }
  for (const line of keyLinesOf(value)) add(line)
  return [...known.values()]
}

function withoutLineEnds(bytes: Buffer): Buffer {
  return bytes.includes(10) || bytes.includes(13)
    ? (bytes.filter((byte) => byte !== 10 && byte !== 13) as Buffer)
    : bytes
}

const plain = (value: string) => [value]

type Encode = (value: string) => (Buffer | string)[]

/** At each of the three places in a group of bytes that it can begin at, without what depends on its neighbours. */
function base64(value: string): string[] {
  const bytes = Buffer.from(value)
  const alone = [bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url')]
  const within = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const from = Math.ceil((offset * 8) / 6)
    const to = Math.floor((padded.length * 8) / 6)
    return [padded.toString('base64').slice(from, to), padded.toString('base64url').slice(from, to)]
  })
  return [...alone, ...within]
}

function hexadecimal(value: string): string[] {
  const pairs = [...Buffer.from(value)].map((byte) => byte.toString(16).padStart(2, '0'))
  const forms = [pairs.join(''), pairs.join(':'), pairs.join(' '), pairs.map((pair) => `\\x${pair}`).join('')]
  return [...forms, ...forms.map((form) => form.toUpperCase().replaceAll('\\X', '\\x'))]
}

const hexadecimalOfLong = (value: string) => [Buffer.from(value).toString('hex')]

function percent(value: string): string[] {
  const component = encodeURIComponent(value.toWellFormed())
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const every = [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
  const forms = [
    component,
    strict,
    component.replaceAll('%20', '+'),
    strict.replaceAll('%20', '+'),
    encodeURI(value.toWellFormed()),
    every,
  ]
  return [...forms, ...forms.map((form) => form.replace(/%../g, (pair) => pair.toLowerCase()))]
}

function json(value: string): string[] {
  const inside = (text: string) => JSON.stringify(text).slice(1, -1)
  const unicode = (text: string, which: RegExp) =>
    text.replace(which, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const once = inside(value)
  const every = unicode(value, /[^]/g)
  const forms = [once, once.replaceAll('/', '\\/'), unicode(once, /[^\0-\x7f]/g), unicode(once, /[<>&'\u007f-\uffff]/g)]
  return [...forms, ...forms.map(inside), every, every.toUpperCase().replaceAll('\\U', '\\u')]
}

const jsonOfLong = (value: string) => [JSON.stringify(value).slice(1, -1)]

function shell(value: string): string[] {
  return [
    value.replaceAll("'", `'\\''`),
    value.replaceAll("'", `'"'"'`),
    value.replace(/[\\$`"]/g, '\\$&'),
    value.replace(/[\\$`"!]/g, '\\$&'),
    value.replace(/[^\w@%+=:,./\n\u0080-\uffff-]/g, '\\$&'),
    value.replace(/['\\]/g, '\\$&'),
  ]
}

function html(value: string): string[] {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return ['&#39;', '&#x27;', '&apos;', "'"].map((apostrophe) =>
    value.replace(/[&<>"']/g, (sign) => named[sign] ?? apostrophe),
  )
}

/** By character, and by byte. */
const turnedRound = (value: string) => [[...value].toReversed().join(''), Buffer.from(value).reverse()]

/** UTF-16 in both orders. */
function wide(value: string): Buffer[] {
  const little = Buffer.from(value, 'utf16le')
  return [little, Buffer.from(little).swap16()]
}

/** The password in an address, which gives it away by itself. */
export function passwordsIn(value: string): string[] {
  const password = value.includes('://') ? (URL.parse(value)?.password ?? '') : ''
  return [password, decoded(password)]
}

function keyLinesOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/)
  return lines.length > 1 ? lines.filter((line) => keyLine.test(line)) : []
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const all: Encode[] = [plain, base64, hexadecimal, percent, json, shell, html, turnedRound, wide]
const forLong: Encode[] = [plain, base64, jsonOfLong, hexadecimalOfLong]
