/** JSON Schema. */
export type Schema = Record<string, unknown>
type Node = Record<string, unknown>

const takenAsTheyAre = [
  'required',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]
/** What the others stand for is for people, or for numbers of other languages. */
const formats = ['date-time', 'uri', 'email']

/** A schema of OpenAPI 3.0 as JSON Schema, without what only people read. `refer` says what stands for a reference. */
export function convertSchema(node: Node, refer: (ref: string) => Schema): Schema {
  const convert = (inner: unknown) => convertSchema(inner as Node, refer)
  if (typeof node['$ref'] === 'string') return refer(node['$ref'])
  const schema: Schema = {}
  for (const name of takenAsTheyAre) if (name in node) schema[name] = node[name]
  if (typeof node['type'] === 'string') schema['type'] = node['type']
  if (formats.includes(String(node['format']))) schema['format'] = node['format']
  if (node['items']) schema['items'] = convert(node['items'])
  if (node['properties'])
    schema['properties'] = Object.fromEntries(
      Object.entries(node['properties'] as Node).map(([name, inner]) => [name, convert(inner)]),
    )
  if (typeof node['additionalProperties'] === 'boolean') schema['additionalProperties'] = node['additionalProperties']
  else if (node['additionalProperties']) schema['additionalProperties'] = convert(node['additionalProperties'])
  if (node['allOf']) schema['allOf'] = (node['allOf'] as unknown[]).map(convert)
  // Several of GitHub's choices often fit.
  for (const name of ['anyOf', 'oneOf']) if (node[name]) schema['anyOf'] = (node[name] as unknown[]).map(convert)
  if (node['example'] !== undefined && typeof node['example'] !== 'object') schema['example'] = node['example']
  return node['nullable'] === true ? orNull(schema) : schema
}

function orNull(schema: Schema): Schema {
  const { type, enum: words } = schema
  if (schema['anyOf'] || schema['allOf']) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(words) && !words.includes(null) && { enum: [...(words as unknown[]), null] }),
  }
}
