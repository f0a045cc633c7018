import type { Json, JsonObject } from '#base/json.ts'
import { escapeInvisible } from '#base/text/escape-invisible.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { mcpLimits } from './limits.ts'

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const COUNTS = ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'] as const
const NODES_MAX = 500
const WORDS_CHARACTERS_MAX = 300

type Work = { root: JsonObject; nodes: number }

/**
 * The arguments of a tool, as all providers of models take them: a provider that refuses one schema refuses the whole request, and the
 * run would end by it. Keeps what describes a shape, resolves references within the schema, and leaves out the rest. Null: it
 * describes no object, or is too large.
 */
export function cleanSchema(schema: unknown): JsonObject | null {
  if (!isObject(schema)) return null
  if (schema['type'] !== undefined && schema['type'] !== 'object') return null
  const work: Work = { root: schema, nodes: 0 }
  const cleaned = clean(schema, work, 0)
  if (work.nodes > NODES_MAX) return null
  const object = {
    ...cleaned,
    type: 'object',
    properties: isObject(cleaned['properties']) ? cleaned['properties'] : {},
  }
  return JSON.stringify(object).length > mcpLimits.schemaCharactersMax ? null : object
}

function clean(part: unknown, work: Work, depth: number): JsonObject {
  if (++work.nodes > NODES_MAX || depth > mcpLimits.schemaDepthMax) return {}
  const schema = resolve(part, work)
  if (!isObject(schema)) return {}
  const kept: JsonObject = {}
  const types = [schema['type']].flat().filter((type): type is string => typeof type === 'string' && TYPES.has(type))
  const [type] = types
  if (type !== undefined) kept['type'] = types.length === 1 ? type : types
  if (typeof schema['description'] === 'string') kept['description'] = words(schema['description'])
  const options = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']])
  if (Array.isArray(options) && options.length > 0 && options.length <= 100 && options.every(isPlain))
    kept['enum'] = options
  for (const name of COUNTS) if (Number.isFinite(schema[name])) kept[name] = schema[name] as number
  cleanParts(schema, kept, { work, depth })
  return kept
}

function cleanParts(schema: JsonObject, kept: JsonObject, { work, depth }: { work: Work; depth: number }): void {
  if (isObject(schema['properties'])) {
    const properties = Object.entries(schema['properties'])
    // What every provider takes as the name of a property.
    const named = properties.filter(([name]) => /^[\w.-]{1,64}$/.test(name) && name !== '__proto__')
    kept['properties'] = Object.fromEntries(named.map(([name, each]) => [name, clean(each, work, depth + 1)]))
    const { required } = schema
    const names = named.map(([name]) => name)
    const asked = Array.isArray(required) ? names.filter((name) => required.includes(name)) : []
    if (asked.length > 0) kept['required'] = asked
  }
  if (schema['type'] === 'array' || isObject(schema['items'])) kept['items'] = clean(schema['items'], work, depth + 1)
  if (typeof schema['additionalProperties'] === 'boolean') kept['additionalProperties'] = schema['additionalProperties']
  const anyOf = schema['anyOf'] ?? schema['oneOf']
  if (depth > 0 && Array.isArray(anyOf) && anyOf.length > 0)
    kept['anyOf'] = anyOf.slice(0, 20).map((each) => clean(each, work, depth + 1))
}

/** What a reference within the schema points at. One that points at itself ends at the greatest depth. */
function resolve(part: unknown, { root }: Work): unknown {
  if (!isObject(part) || typeof part['$ref'] !== 'string') return part
  const match = /^#\/(\$defs|definitions)\/([^/]{1,200})$/.exec(part['$ref'])
  const [, place = '', name = ''] = match ?? []
  const all = root[place]
  return isObject(all) && Object.hasOwn(all, name) ? all[name] : {}
}

const words = (text: string) => escapeInvisible(shortenWithin(text, WORDS_CHARACTERS_MAX))
const isPlain = (value: Json) =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 200)
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
