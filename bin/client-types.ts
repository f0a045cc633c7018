// Writes the SDK's types from the API's description: one type for each component, one row for each operation. Ours,
// because the generators on npm need the compiler API of an older TypeScript.

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  description?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
}
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: string
  tags: string[]
  summary?: string
  parameters?: { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const heading = '// Generated from openapi.json by "npm run generate". Do not edit.\n'

export function clientTypes(document: Document): string {
  const components = Object.entries(document.components.schemas)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return [
    heading,
    ...components.map(([name, schema]) => `export type ${name} = ${typeOf(schema, '')}\n`),
    `/** What each operation takes and answers. */\nexport type Operations = {\n${operations.map(operationType).join('')}}\n`,
    '/** Where each operation is found; in `query` the names of what is not in its path or its body. */',
    `export const operations = {\n${operations.map(operationPlace).join('')}} as const satisfies Record<keyof Operations, Place>\n`,
    'export type Place = { tag: string; method: string; path: string; query: readonly string[]; hasBody: boolean; mediaType: string | null }\n',
  ].join('\n')
}

type Placed = { method: string; path: string; operation: Operation }

function operationType({ operation }: Placed): string {
  const { operationId, summary, responses } = operation
  const input = inputOf(operation)
  const mayBeLeftOut = input.required?.length === 0 ? ' | undefined' : ''
  const lines = [`    input: ${typeOf(input, '    ')}${mayBeLeftOut}`, `    answer: ${answerType(responses)}`]
  return `  /** ${summary ?? operationId} */\n  ${operationId}: {\n${lines.join('\n')}\n  }\n`
}

/** All that an operation is given, as one object: what is in its path, in its query, and in its body. */
function inputOf({ operationId, parameters: all = [], requestBody }: Operation): Schema {
  const parameters = all.filter((one) => one.in !== 'header')
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
  const twice = parameters.find(({ name }) => name in properties)
  if (twice) throw new Error(`${operationId} has "${twice.name}" both in its address and in its body.`)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])), ...properties },
    required: [...parameters.filter((one) => one.required).map(({ name }) => name), ...required],
  }
}

function operationPlace({ method, path, operation }: Placed): string {
  const { operationId, tags, parameters = [], requestBody, responses } = operation
  const [mediaType] = Object.keys(successOf(responses)?.content ?? {})
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => quoted(name))
  const place = {
    tag: quoted(camelCase(tags[0] ?? 'other')),
    method: quoted(method),
    path: quoted(path),
    query: `[${query.join(', ')}]`,
    hasBody: String(requestBody !== undefined),
    mediaType: mediaType ? quoted(mediaType) : 'null',
  }
  const text = Object.entries(place).map(([name, value]) => `${name}: ${value}`)
  return `  ${operationId}: { ${text.join(', ')} },\n`
}

/** `Pull requests` as `pullRequests`. */
const camelCase = (words: string) =>
  words.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())

function successOf(responses: Operation['responses']) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
}

function answerType(responses: Operation['responses']): string {
  const [content] = Object.values(successOf(responses)?.content ?? {})
  return content ? typeOf(content.schema, '    ') : 'undefined'
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.enum)
    return schema.enum.map((word) => (typeof word === 'string' ? quoted(word) : String(word))).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  const types = [schema.type ?? []].flat()
  return types.map((type) => plainType(type, schema, indent)).join(' | ') || 'unknown'
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number'
  if (schema.format === 'binary') return 'Uint8Array'
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`
  return type === 'object' ? objectType(schema, indent) : type
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  if (additionalProperties) return 'Record<string, unknown>'
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const note = schema.description ? `${inner}/** ${schema.description} */\n` : ''
    return `${note}${inner}${name}${mark}: ${typeOf(schema, inner)}\n`
  })
  return fields.length ? `{\n${fields.join('')}${indent}}` : 'Record<never, never>'
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
