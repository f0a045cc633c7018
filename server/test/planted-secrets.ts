export const key = 'f3Kq9ZtYw2LmX7bVn4Rs'
export const keyLines = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
  'VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDu',
]
/** Seven of different kinds: of one line and of several, one that begins with another, two that overlap, signs and accents. */
export const secrets = Object.entries({
  KEY: key,
  LONGER_KEY: `${key}-and-more`,
  OVERLAPPING_KEY: `Qx81cfe0${key.slice(0, 8)}`,
  LINES: ['-----BEGIN PRIVATE KEY-----', ...keyLines, '-----END PRIVATE KEY-----', ''].join('\n'),
  QUOTED: `it's "so" & <odd> \\ $HOME`,
  ACCENTED: 'pässwörd é ünïque ✓ 7',
  ADDRESS: 'postgres://user:p%40ss-word.77@db.internal:5432/app',
}).map(([name, value]) => ({ name, value }))

const pairs = (value: string) => Buffer.from(value).toString('hex').match(/../g)!
const wrapped = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'g'))!.join('\n')

/** As other programs write them. */
export const encodings: Record<string, (value: string) => string | Buffer> = {
  'as it is': (value) => value,
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64 over several lines': (value) => wrapped(Buffer.from(value).toString('base64'), 12),
  'base64 for addresses': (value) => Buffer.from(value).toString('base64url'),
  hexadecimal: (value) => pairs(value).join(''),
  'hexadecimal with colons': (value) => pairs(value).join(':').toUpperCase(),
  'hexadecimal with spaces, over several lines': (value) => wrapped(pairs(value).join(' '), 33),
  'percent signs': (value) => encodeURIComponent(value),
  'a form': (value) => new URLSearchParams({ value }).toString().slice('value='.length),
  'percent signs, every byte': (value) =>
    pairs(value)
      .map((pair) => `%${pair}`)
      .join(''),
  JSON: (value) => JSON.stringify(value).slice(1, -1),
  'JSON in JSON': (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  'JSON with escaped slashes': (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  'escaped characters': (value) =>
    [...Array(value.length).keys()].map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  'single quotes of the shell': (value) => value.split("'").join(`'\\''`),
  'double quotes of the shell': (value) => value.replace(/["\\$`]/g, (sign) => `\\${sign}`),
  'backslashes of the shell': (value) => value.replace(/[ "'\\$&<>()|;*?!#~`^{}[\]]/g, (sign) => `\\${sign}`),
  HTML: (value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'reversed by character': (value) => [...value].toReversed().join(''),
  'reversed by byte': (value) => Buffer.from(Buffer.from(value).toReversed()),
  'UTF-16, little end first': (value) => Buffer.from(value, 'utf16le'),
  'UTF-16, big end first': (value) => Buffer.from(value, 'utf16le').swap16(),
}
