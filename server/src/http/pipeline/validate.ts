import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { AppError, type Fault } from '#base/errors.ts'
import { parseWholeNumber } from '#base/ids.ts'
import { limits } from '#base/limits.ts'
import { isStorable } from './read-body.ts'

export type Part = 'params' | 'query' | 'body'
type Checked = { value: unknown } | { error: AppError }
type Property = { type?: string; default?: unknown; items?: Property }

/** A checker of one part of a request. Bodies are taken as they are; only the texts of an address are converted. */
export function validator(): (part: Part, schema: object) => (value: unknown) => Checked {
  const [first, all] = [openAjv({ allErrors: false }), openAjv({ allErrors: true })]
  return (part, schema) => {
    // Made when they are needed first: most endpoints are asked by nobody soon, and most refuse nothing.
    let made: ValidateFunction | undefined
    let checkAll: ValidateFunction | undefined
    // A fault for each of a million elements would be an answer larger than any body.
    const refuse = (check: ValidateFunction, value: unknown) => {
      if (!isSmall(value)) return { error: refusal(part, check.errors ?? []) }
      checkAll ??= all.compile(schema)
      return { error: refusal(part, (checkAll(value) ? check : checkAll).errors ?? []) }
    }
    return (value) => {
      const check = (made ??= first.compile(schema))
      if (part === 'body') return check(value) ? { value } : refuse(check, value)
      const { properties } = schema as { properties: Record<string, Property> }
      const repeated = findRepeated(value as Texts, properties)
      if (repeated)
        return {
          error: invalid([
            { loc: [part, repeated], msg: 'takes one value and is given more than once', type: 'repeated' },
          ]),
        }
      const converted = convert(value as Texts, properties)
      return check(converted) ? { value: converted } : refuse(check, converted)
    }
  }
}

function openAjv({ allErrors }: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ allErrors, strict: true, allowUnionTypes: true, useDefaults: true, validateFormats: true })
  formats.default(ajv, ['date-time', 'email'])
  return ajv
}

/** Whether it is made of no more values than faults are told of. */
function isSmall(value: unknown): boolean {
  let count = 0
  const isWithin = (part: unknown): boolean => {
    if (++count > limits.toldFaultsMax) return false
    if (part === null || typeof part !== 'object') return true
    for (const name in part) if (!isWithin((part as Record<string, unknown>)[name])) return false
    return true
  }
  return isWithin(value)
}

function refusal(part: Part, errors: ErrorObject[]): AppError {
  return invalid(errors.map((error) => toFault(part, error)))
}

function invalid(detail: Fault[]): AppError {
  const message = detail.map(({ loc, msg }) => `${loc.join('.')} ${msg}`).join('; ')
  return new AppError('invalid_request', { message: `The request is not valid: ${message}.`, detail })
}

function toFault(part: Part, error: ErrorObject): Fault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const loc = [part, ...path.map((step) => (/^\d+$/.test(step) ? Number(step) : step))]
  if (error.keyword === 'required') {
    return { loc: [...loc, String(error.params.missingProperty)], msg: 'is required', type: 'required' }
  }
  const words: unknown = error.keyword === 'enum' ? error.params.allowedValues : undefined
  const isBlank = error.keyword === 'pattern' && error.params.pattern === '\\S'
  const msg = Array.isArray(words)
    ? `must be one of ${words.join(', ')}`
    : isBlank
      ? 'must not be blank'
      : (error.message ?? 'is not valid')
  return { loc, msg, type: error.keyword }
}

type Texts = Record<string, string | string[]>

function findRepeated(texts: Texts, properties: Record<string, Property>): string | undefined {
  return Object.keys(texts).find(
    (name) => Array.isArray(texts[name]) && properties[name] && properties[name].type !== 'array',
  )
}

/** What the schema asks for, made of an address's texts. What cannot be converted is left, and so refused by the schema. */
function convert(texts: Texts, properties: Record<string, Property>): Record<string, unknown> {
  const converted: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined
    if (text === undefined) continue
    if (property.type === 'array') converted[name] = [text].flat().map((item) => convertOne(item, property.items ?? {}))
    else converted[name] = convertOne(String(text), property)
  }
  return converted
}

function convertOne(text: string, { type }: Property): unknown {
  if (type === 'integer') return parseWholeNumber(text) ?? text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  // A text that cannot be stored is no text: as null it is refused like any other wrong type.
  return isStorable(text) ? text : null
}

/** A query's texts by name, several where a name is repeated. What is badly encoded becomes a text that is refused. */
export function parseQuery(query: string): Texts {
  const texts: Texts = Object.create(null) as Texts
  for (const pair of query.split('&')) {
    if (!pair) continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    const earlier = texts[name]
    texts[name] = earlier === undefined ? value : [...[earlier].flat(), value]
  }
  return texts
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return '\0'
  }
}
