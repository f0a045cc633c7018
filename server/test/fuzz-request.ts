import fc from 'fast-check'

/** What a client may send to one endpoint: well-formed as HTTP, and anything else as a request. */
export type FuzzedRequest = { url: string; headers: Record<string, string>; body: Buffer | undefined }

/** A JSON Schema, as far as requests use it. */
type Schema = {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  format?: string
}

export type Fuzzed = {
  /** With parameters as `:name`. */
  path: string
  query?: unknown
  body?: unknown
  /** Ids that exist, by the names that paths, queries and bodies use. */
  ids: Record<string, number>
  token: string
}

/** Mostly right, in one or two places wrong: what is wrong everywhere never gets behind the first check. */
export function fuzzedRequest({ path, query, body, ids, token }: Fuzzed): fc.Arbitrary<FuzzedRequest> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return fc
    .record({
      params: fc.record(Object.fromEntries(names.map((name) => [name, pathValue(name, ids)]))),
      query: queryText((query as Schema | undefined)?.properties ?? {}, ids),
      body: body ? bodyBytes(body as Schema, ids) : often(fc.constant(undefined), fc.constant(Buffer.from('{}'))),
      headers: headersOf(token),
    })
    .map((options) => ({
      url:
        path.replaceAll(/:(\w+)/g, (_, name: string) => (options.params as Record<string, string>)[name] ?? '') +
        options.query,
      headers: { ...options.headers, ...(options.body ? { 'content-length': String(options.body.length) } : {}) },
      body: options.body,
    }))
}

const often = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 7) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

const naughtyTexts = [
  '', ' ', '\u3000', '\0', 'a\0b', '\ud800', '\udc00x', '\ufeff', '\u202eabc', '\u0085', '👩‍👩‍👧', 'İ', 'ﷺ',
  'null', 'undefined', 'true', 'NaN', 'Infinity', '-0', '1e400', '0x10', '１２', '1_000', '9007199254740993',
  "' or 1=1 --", '"; drop table runs; --', '${1+1}', '{{7*7}}', '%00', '%', '\\', '../../etc/passwd', '~', '*',
  '__proto__', 'constructor', 'toString', '<script>alert(1)</script>', '-rf', '--upload-pack=x', 'a\r\nb: c',
  '2026-02-30T00:00:00Z', '2026-01-01T00:00:60Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-01',
  '+275760-09-13T00:00:00Z', 'a@b', 'x'.repeat(300), '%'.repeat(50), '_'.repeat(50),
] // prettier-ignore

const naughtyText = fc.oneof(fc.constantFrom(...naughtyTexts), fc.string({ unit: 'binary' }), fc.string())
const naughtyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1e-300, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e21, 1e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const naughtyValue: fc.Arbitrary<unknown> = fc.oneof(
  naughtyText,
  naughtyNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { '': '' }),
  fc.anything({ maxDepth: 3, withNullPrototype: false, values: [fc.string({ unit: 'binary' }), naughtyNumber] }),
)

function idOr<T>(name: string, ids: Record<string, number>, other: fc.Arbitrary<T>): fc.Arbitrary<number | T> {
  const id = ids[name]
  return id === undefined ? other : often<number | T>(fc.constant(id), other, 3)
}

function pathValue(name: string, ids: Record<string, number>): fc.Arbitrary<string> {
  const unknown = fc.constantFrom(
    '0',
    '1',
    '999999',
    '9007199254740991',
    '9007199254740992',
    '01',
    '+1',
    '1e3',
    '-1',
    '1.0',
    '%31',
  )
  return often(
    idOr(name, ids, unknown).map(String),
    naughtyText.map((text) => encode(text) || '%20'),
    12,
  )
}

/** Percent-encoded byte by byte, so that halves of surrogate pairs become what is no UTF-8. */
function encode(text: string): string {
  const bytes = [...text].flatMap((character) => {
    const code = character.codePointAt(0) ?? 0
    const isHalf = code >= 0xd800 && code <= 0xdfff
    return isHalf ? [0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)] : [...Buffer.from(character)]
  })
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function queryText(properties: Record<string, Schema>, ids: Record<string, number>): fc.Arbitrary<string> {
  const known = Object.entries(properties).map(([name, schema]) => {
    const value = often(valueOf(schema, { name, ids }).map(String), naughtyText)
    return fc.array(value, { maxLength: 2 }).map((values) => values.map((one) => `${name}=${encode(one)}`))
  })
  const unknown = fc.constantFrom(
    [],
    [],
    [],
    ['unknown=1'],
    ['='],
    ['%'],
    ['%ff=%ff'],
    ['&&'],
    ['__proto__=1'],
    ['skip[]=1'],
  )
  return fc
    .tuple(...known.map((one) => often(fc.constant([] as string[]), one, 1)), unknown)
    .map((parts) => parts.flat().join('&'))
    .map((text) => (text ? `?${text}` : ''))
}

/** A value that the schema takes, or nearly. */
function valueOf(schema: Schema, at: { name: string; ids: Record<string, number> }): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, at)))
}

function ofType(
  type: string,
  schema: Schema,
  at: { name: string; ids: Record<string, number> },
): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 1_000_000 } = schema
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer')
    return idOr(
      at.name,
      at.ids,
      fc.oneof(fc.integer({ min: minimum, max: Math.min(maximum, 9_999) }), fc.constant(maximum)),
    )
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true })
  if (type === 'array') {
    const { items = {}, minItems = 0, maxItems = 3 } = schema
    return fc.array(valueOf(items, at), { minLength: minItems, maxLength: Math.min(maxItems, 4) })
  }
  if (type === 'object')
    return schema.properties ? objectOf(schema, at.ids) : fc.dictionary(fc.string(), fc.jsonValue())
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (schema.format === 'email') return fc.emailAddress()
  const { minLength = 0, maxLength = 200 } = schema
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 100) }).map((text) => text || 'text')
}

function objectOf({ properties = {}, required = [] }: Schema, ids: Record<string, number>): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
    name,
    often(valueOf(schema, { name, ids }), naughtyValue, 12),
  ])
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function bodyBytes(schema: Schema, ids: Record<string, number>): fc.Arbitrary<Buffer | undefined> {
  const right = objectOf(schema, ids).map((value) => Buffer.from(write(value)))
  const deep = fc
    .integer({ min: 1, max: 5_000 })
    .map((depth) => Buffer.from(`{"prompt":"Go","name":"x","x":${'['.repeat(depth)}${']'.repeat(depth)}}`))
  const other = fc.oneof(
    naughtyValue.map((value) => Buffer.from(write(value))),
    deep,
    naughtyText.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constant(undefined),
  )
  return often<Buffer | undefined>(right, other, 6)
}

/** What JSON cannot say is written as null; halves of surrogate pairs as escapes. */
function write(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) as
    | string
    | undefined
  return text ?? 'null'
}

function headersOf(token: string): fc.Arbitrary<Record<string, string>> {
  const headerText = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  })
  const strange = fc.record(
    {
      accept: fc.oneof(
        fc.constantFrom('*/*', 'text/html', 'application/problem+json', '', ';q=0', 'application/json;q=0'),
        headerText,
      ),
      'content-type': fc.oneof(
        fc.constantFrom('text/plain', 'multipart/form-data', 'application/json; charset=latin1', ''),
        headerText,
      ),
      'content-encoding': fc.constantFrom('gzip', 'identity', ''),
      'x-request-id': headerText,
      'idempotency-key': fc.oneof(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }), headerText),
      traceparent: headerText,
      'if-none-match': fc.oneof(fc.constantFrom('*', '""', 'W/"x"'), headerText),
      'last-event-id': fc.oneof(fc.constantFrom('0', '-1', '1e18', ''), headerText),
      authorization: fc.oneof(fc.constantFrom('', 'Bearer', 'Bearer x', `Basic ${token}`), headerText),
    },
    { requiredKeys: [] },
  )
  const usual = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return often<Record<string, string>>(
    fc.constant(usual),
    strange.map((headers) => ({ ...usual, ...headers })),
    3,
  )
}
