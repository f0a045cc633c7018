import { execFileSync } from 'node:child_process'
import { deflateSync, gzipSync } from 'node:zlib'

/**
 * How a secret may be written by everyday programs. The page about security has this list; each of these is tried with
 * secrets of several kinds.
 */
export type WrittenForm = {
  name: string
  write: (value: string) => string | Buffer
  /** Of a secret that is made of words this is not seen: it is words. */
  isPart?: boolean
}

const bytes = (value: string) => [...Buffer.from(value)]
const hex = (byte: number) => byte.toString(16).padStart(2, '0')
const base64 = (value: string | Buffer) => Buffer.from(value as string).toString('base64')
const wrapped = (text: string, width: number) => text.match(new RegExp(`[^]{1,${width}}`, 'g')) ?? []
const run = (program: string, words: string[], input: string | Buffer) =>
  execFileSync(program, words, { input }).toString()

/** Lines of sixteen bytes, as `xxd`, `hexdump` and `od` print them. */
function lines(value: string, print: (row: Buffer, at: number) => string, width = 16): string {
  const all = Buffer.from(value)
  const rows: string[] = []
  for (let at = 0; at < all.length; at += width) rows.push(print(all.subarray(at, at + width), at))
  return `${rows.join('\n')}\n`
}
const shown = (row: Buffer) => row.toString('latin1').replace(/[^ -~]/g, '.')
const xxd = (value: string, group: number, width = 16) =>
  lines(
    value,
    (row, at) => {
      const pairs = (row.toString('hex').match(new RegExp(`.{1,${group * 2}}`, 'g')) ?? []).join(' ')
      return `${at.toString(16).padStart(8, '0')}: ${pairs.padEnd(width * 2 + Math.ceil(width / group) - 1)}  ${shown(row)}`
    },
    width,
  )

function base32(value: string, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'): string {
  const bits = bytes(value)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const signs = (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[parseInt(five.padEnd(5, '0'), 2)])
  return signs.join('').padEnd(Math.ceil(signs.length / 8) * 8, '=')
}

function base85(value: string, alphabet: string): string {
  const all = Buffer.from(value)
  const padded = Buffer.concat([all, Buffer.alloc((4 - (all.length % 4)) % 4)])
  let text = ''
  for (let at = 0; at < padded.length; at += 4) {
    let [group, number] = ['', padded.readUInt32BE(at)]
    for (let count = 0; count < 5; count++, number = Math.floor(number / 85)) group = alphabet[number % 85]! + group
    text += group
  }
  return text.slice(0, text.length - (padded.length - all.length))
}
const ascii85 = Array.from({ length: 85 }, (_, at) => String.fromCharCode(33 + at)).join('')
const python85 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

function uuencode(value: string): string {
  const all = Buffer.from(value)
  const rows: string[] = []
  for (let at = 0; at < all.length; at += 45) {
    const row = all.subarray(at, at + 45)
    const six = base64(Buffer.concat([row, Buffer.alloc((3 - (row.length % 3)) % 3)]))
    const order = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    rows.push(
      String.fromCharCode(32 + row.length) + six.replace(/./g, (sign) => String.fromCharCode(32 + order.indexOf(sign))),
    )
  }
  return `begin 644 key\n${rows.join('\n')}\nend`
}
const wide = (value: string) => value.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
const between = (value: string, sign: string) => [...value].join(sign)
const swapped = (value: string) =>
  value.replace(/[a-z]/gi, (sign) => (sign < 'a' ? sign.toLowerCase() : sign.toUpperCase()))
const turned = (value: string) =>
  value.replace(/[a-z]/gi, (sign) => {
    const first = sign < 'a' ? 65 : 97
    return String.fromCharCode(((sign.charCodeAt(0) - first + 13) % 26) + first)
  })

const form = (name: string, write: WrittenForm['write']): WrittenForm => ({ name, write })
const part = (name: string, write: WrittenForm['write']): WrittenForm => ({ name, write, isPart: true })

export const writtenForms: WrittenForm[] = [
  form('as it is', (value) => value),
  form('base64', base64),
  form('base64, of a line that it stands in', (value) => base64(`key = ${value}\n`)),
  form('base64, of a line with another beginning', (value) => base64(`password=${value}\n`)),
  form('base64, in lines', (value) => wrapped(base64(value), 20).join('\n')),
  form('base64, in lines that are quoted', (value) => `> ${wrapped(base64(value), 20).join('\n> ')}`),
  form('base64, for addresses', (value) => Buffer.from(value).toString('base64url')),
  form('base64 of base64', (value) => base64(base64(value))),
  form('base64 of base64, with a line end', (value) => base64(`${base64(`${value}\n`)}\n`)),
  form('base64 of hexadecimal', (value) => base64(Buffer.from(value).toString('hex'))),
  form('base64 of UTF-16, little end first', (value) => base64(Buffer.from(value, 'utf16le'))),
  form('base64 of UTF-16, big end first', (value) => base64(Buffer.from(value, 'utf16le').swap16())),
  form('base64 of it reversed', (value) => base64([...value].toReversed().join(''))),
  form('base64 of gzip', (value) => base64(gzipSync(value))),
  form('base64 of gzip, in lines', (value) => wrapped(base64(gzipSync(`key=${value}\n`)), 76).join('\n')),
  form('base64 of zlib', (value) => base64(deflateSync(value))),
  form('base64 of zlib, packed best', (value) => base64(deflateSync(`${value}\n`, { level: 9 }))),
  form('base32', (value) => base32(value)),
  form('base32, without padding and in small letters', (value) => base32(value).replace(/=/g, '').toLowerCase()),
  form('base32, of a line that it stands in', (value) => base32(`key: ${value}\n`)),
  form('base32, the alphabet of hexadecimal', (value) => base32(value, '0123456789ABCDEFGHIJKLMNOPQRSTUV')),
  form('ascii85', (value) => base85(value, ascii85)),
  form('base85', (value) => base85(value, python85)),
  form('uuencode', uuencode),
  form('quoted-printable', (value) =>
    wrapped(
      value.replace(/[^!-<>-~ ]/g, (sign) => `=${hex(sign.charCodeAt(0)).toUpperCase()}`),
      20,
    ).join('=\n'),
  ),
  form('quoted-printable, every byte', (value) =>
    bytes(value)
      .map((byte) => `=${hex(byte).toUpperCase()}`)
      .join(''),
  ),
  form('hexadecimal', (value) => Buffer.from(value).toString('hex')),
  form('hexadecimal, large letters and colons', (value) => bytes(value).map(hex).join(':').toUpperCase()),
  form('hexadecimal of base64', (value) => Buffer.from(base64(value)).toString('hex')),
  form('xxd', (value) => xxd(value, 2)),
  form('xxd, of a line that it stands in', (value) => xxd(`the key is ${value}.\n`, 2)),
  form('xxd -g1 -c8', (value) => xxd(value, 1, 8)),
  form('xxd -p', (value) => wrapped(Buffer.from(`key=${value}\n`).toString('hex'), 60).join('\n')),
  form(
    'xxd -i',
    (value) =>
      `unsigned char x[] = {\n  ${wrapped(
        bytes(value)
          .map((byte) => `0x${hex(byte)}, `)
          .join(''),
        72,
      ).join('\n  ')}\n};`,
  ),
  form('xxd -b', (value) =>
    lines(
      value,
      (row, at) =>
        `${at.toString(16).padStart(8, '0')}: ${[...row]
          .map((byte) => byte.toString(2).padStart(8, '0'))
          .join(' ')
          .padEnd(53)}  ${shown(row)}`,
      6,
    ),
  ),
  form('hexdump', (value) => run('od', ['-A', 'x', '-x'], value)),
  form('hexdump -C', (value) =>
    lines(
      value,
      (row, at) =>
        `${at.toString(16).padStart(8, '0')}  ${[...row.subarray(0, 8)].map(hex).join(' ')}  ${[...row.subarray(8)].map(hex).join(' ')}  |${shown(row)}|`,
    ),
  ),
  form('od', (value) => run('od', [], value)),
  form('od, of a line that it stands in', (value) => run('od', [], `key ${value}\n`)),
  form('od -c', (value) => run('od', ['-c'], value)),
  form('od -An -c', (value) => run('od', ['-An', '-c'], value)),
  form('od -x', (value) => run('od', ['-x'], value)),
  form('od -An -tx1', (value) => run('od', ['-An', '-tx1'], value)),
  form('od -A d -t x1z', (value) => run('od', ['-A', 'd', '-t', 'x1z'], value)),
  form('od -t x4', (value) => run('od', ['-t', 'x4'], value)),
  form('od -b', (value) => run('od', ['-b'], value)),
  form('od -t u1', (value) => run('od', ['-t', 'u1'], value)),
  form('od -d', (value) => run('od', ['-d'], value)),
  form('octal, with backslashes', (value) =>
    bytes(value)
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  ),
  form('octal, with backslashes and a 0', (value) =>
    bytes(value)
      .map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  ),
  form('octal, a list of Python', (value) =>
    bytes(value)
      .map((byte) => `0o${byte.toString(8)}`)
      .join(', '),
  ),
  form('decimal, a list of JSON', (value) => JSON.stringify(bytes(value))),
  form('decimal, each on a line', (value) => JSON.stringify(bytes(value), null, 2)),
  form('decimal, spaces between', (value) => bytes(value).join(' ')),
  form('String.fromCharCode', (value) => `String.fromCharCode(${bytes(value).join(',')})`),
  form('chr() of each', (value) =>
    bytes(value)
      .map((byte) => `chr(${byte})`)
      .join(' . '),
  ),
  form('a list of 0x', (value) =>
    bytes(value)
      .map((byte) => `0x${hex(byte)}`)
      .join(', '),
  ),
  form('a Buffer of Node', (value) => `<Buffer ${bytes(value).map(hex).join(' ')}>`),
  form('binary', (value) =>
    bytes(value)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join(' '),
  ),
  form('escapes of C', (value) =>
    bytes(value)
      .map((byte) => `\\x${hex(byte)}`)
      .join(''),
  ),
  form('escapes of JSON', (value) =>
    bytes(value)
      .map((byte) => `\\u00${hex(byte)}`)
      .join(''),
  ),
  form('escapes of Rust and JavaScript', (value) =>
    bytes(value)
      .map((byte) => `\\u{${hex(byte)}}`)
      .join(''),
  ),
  form('escapes of Python', (value) =>
    bytes(value)
      .map((byte) => `\\U000000${hex(byte)}`)
      .join(''),
  ),
  form('escapes of old addresses', (value) =>
    bytes(value)
      .map((byte) => `%u00${hex(byte)}`)
      .join(''),
  ),
  form('percent signs', encodeURIComponent),
  form('percent signs, every byte', (value) =>
    bytes(value)
      .map((byte) => `%${hex(byte)}`)
      .join(''),
  ),
  form('percent signs twice', (value) => encodeURIComponent(encodeURIComponent(value))),
  form('percent signs twice, every byte', (value) =>
    bytes(value)
      .map((byte) => `%25${hex(byte)}`)
      .join(''),
  ),
  form('HTML, decimal', (value) =>
    bytes(value)
      .map((byte) => `&#${byte};`)
      .join(''),
  ),
  form('HTML, hexadecimal', (value) =>
    bytes(value)
      .map((byte) => `&#x${hex(byte)};`)
      .join(''),
  ),
  form('HTML, only what must be', (value) =>
    value.replace(
      /[&<>"']/g,
      (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[sign]!,
    ),
  ),
  form('JSON', (value) => JSON.stringify(value)),
  form('JSON in JSON', (value) => JSON.stringify(JSON.stringify(value))),
  form('JSON in JSON in JSON', (value) => JSON.stringify(JSON.stringify(JSON.stringify(value)))),
  form('UTF-16, little end first', (value) => Buffer.from(value, 'utf16le')),
  form('UTF-16, big end first', (value) => Buffer.from(value, 'utf16le').swap16()),
  form('large letters', (value) => value.toUpperCase()),
  form('small letters', (value) => value.toLowerCase()),
  form('large for small letters', swapped),
  form('reversed', (value) => [...value].toReversed().join('')),
  form('rot13', turned),
  form('rot47', (value) =>
    value.replace(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33)),
  ),
  form('full-width letters', wide),
  form('zero-width spaces between', (value) => between(value, '\u200b')),
  form('combining marks between', (value) => between(value, '\u0301')),
  form('soft hyphens between', (value) => between(value, '\u00ad')),
  form('backspaces between', (value) => between(value, '\b')),
  form('printed twice, as bold', (value) => [...value].map((sign) => `${sign}\b${sign}`).join('')),
  form('colors between', (value) => [...value].map((sign) => `\u001b[3${sign.charCodeAt(0) % 8}m${sign}`).join('')),
  form('spaces between', (value) => between(value, ' ')),
  form('dots between', (value) => between(value, '.')),
  form('quotes and commas between', (value) => JSON.stringify([...value])),
  form('in eights', (value) => wrapped(value, 8).join(' ')),
  form('in eights, put together by a program', (value) =>
    wrapped(value, 8)
      .map((eight) => JSON.stringify(eight))
      .join(' + '),
  ),
  form('in lines', (value) => wrapped(value, 10).join('\n')),
  form('in lines that end as on Windows', (value) => wrapped(value, 10).join('\r\n')),
  form('in lines that are indented', (value) => `    ${wrapped(value, 10).join('\n    ')}`),
  form('in lines that are quoted', (value) => `> ${wrapped(value, 10).join('\n> ')}`),
  form('in lines with numbers (cat -n)', (value) =>
    wrapped(value.replace(/\n/g, ''), 10)
      .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
      .join('\n'),
  ),
  part('its first half', (value) => value.slice(0, Math.max(13, Math.ceil(value.length / 2)))),
  part('its second half', (value) => value.slice(-Math.max(13, Math.ceil(value.length / 2)))),
  part('half of it in base64', (value) => base64(value.slice(0, Math.max(14, Math.ceil(value.length / 2))))),
]
