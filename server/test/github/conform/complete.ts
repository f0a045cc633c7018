import { readApi, type Schema } from './read-api.ts'

type Fields = Record<string, unknown>
type ObjectSchema = { properties?: Record<string, Schema>; required?: string[] }

/**
 * A value with all that the schema wants of it: what is missing comes from GitHub's example, at the same place, else from
 * what its schema says. What is there stays as it is.
 */
export function complete(schema: Schema, value: unknown, example?: unknown): unknown {
  const fitting = choose(schema, value)
  if (Array.isArray(value)) {
    const items = fitting.find((each) => each['items'])?.['items'] as Schema | undefined
    const [sample] = Array.isArray(example) ? (example as unknown[]) : []
    return items ? value.map((item) => complete(items, item, sample)) : value
  }
  if (!isFields(value)) return value
  const sample = isFields(example) ? example : {}
  const whole: Fields = { ...value }
  for (const [name, { inner, isRequired }] of fieldsOf(fitting)) {
    if (isRequired && whole[name] === undefined) whole[name] = sample[name] ?? invent(inner)
    if (whole[name] !== undefined) whole[name] = complete(inner, whole[name], sample[name])
  }
  return whole
}

/** What several schemas say of the fields of one value. */
function fieldsOf(schemas: Schema[]): Map<string, { inner: Schema; isRequired: boolean }> {
  const fields = new Map<string, { inner: Schema; isRequired: boolean }>()
  for (const { properties = {}, required = [] } of schemas as ObjectSchema[])
    for (const name of new Set([...Object.keys(properties), ...required])) {
      const known = fields.get(name)
      const of = [known?.inner, properties[name]].filter((each) => each !== undefined)
      const isRequired = known?.isRequired === true || required.includes(name)
      fields.set(name, { inner: of.length > 1 ? { allOf: of } : (of[0] ?? {}), isRequired })
    }
  return fields
}

/** What a value must be by this schema: without references, and of choices the one that it looks like most. */
function choose(schema: Schema, value: unknown): Schema[] {
  const { $ref: ref, allOf, anyOf, ...rest } = schema as { $ref?: string; allOf?: Schema[]; anyOf?: Schema[] } & Schema
  if (ref) return choose(find(ref), value)
  const all = (allOf ?? []).flatMap((each) => choose(each, value))
  const choices = (anyOf ?? [])
    .map((each) => choose(each, value))
    .filter((each) => each.every((one) => mayBe(one, value)))
  const [best = []] = choices.toSorted((a, b) => likeness(b, value) - likeness(a, value))
  return [rest, ...all, ...best]
}

function find(ref: string): Schema {
  return readApi().schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}
}

function mayBe(schema: Schema, value: unknown): boolean {
  const types = ([] as unknown[]).concat(schema['type'] ?? [])
  if (types.length && !types.includes(typeOf(value)) && !(types.includes('integer') && Number.isInteger(value)))
    return false
  const words = schema['enum'] as unknown[] | undefined
  if (words && !words.includes(value)) return false
  if (!isFields(value)) return true
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  // What kind of thing something is stands in a field of its own.
  return Object.entries(properties).every(([name, { enum: words }]) => {
    return !Array.isArray(words) || value[name] === undefined || words.includes(value[name])
  })
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** How many of its fields the schemas know, less how many more they want. */
function likeness(schemas: Schema[], value: unknown): number {
  if (!isFields(value)) return 0
  let sum = 0
  for (const { properties = {}, required = [] } of schemas as ObjectSchema[]) {
    sum += Object.keys(value).filter((name) => name in properties).length
    sum -= required.filter((name) => !(name in value)).length / 100
  }
  return sum
}

function invent(schema: Schema): unknown {
  const { $ref: ref, anyOf, allOf, type, enum: words, example, format, items } = schema as Schema & { $ref?: string }
  if (ref) return invent(find(ref))
  if (Array.isArray(anyOf)) {
    const choices = anyOf as Schema[]
    return choices.some((each) => each['type'] === 'null') ? null : invent(choices[0] ?? {})
  }
  if (Array.isArray(allOf)) {
    const values = (allOf as Schema[]).map(invent)
    if (values.some(isFields)) return complete(schema, {})
    // An empty text is what the one makes up that wants nothing more of it.
    return values.find(Boolean) ?? values.find((value) => value !== null) ?? null
  }
  const types = ([] as unknown[]).concat(type ?? [])
  if (format === 'email') return 'octocat@github.com'
  if (types.includes('null')) return null
  if (example !== undefined) return example
  if (Array.isArray(words)) return words[0]
  if (types.includes('object')) return complete(schema, {})
  if (types.includes('array')) return items && schema['minItems'] ? [invent(items as Schema)] : []
  if (types.includes('integer') || types.includes('number')) return 0
  if (types.includes('boolean')) return false
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : format === 'uri' ? 'https://github.com/octocat' : ''
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
