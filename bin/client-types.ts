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
  summary?: string
  parameters?: { in: 'path' | 'query'; name: string; required?: boolean; schema: Schema }[]
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
    '/** Where each operation is found. */',
    `export const operations = {\n${operations.map(operationPlace).join('')}} as const satisfies Record<keyof Operations, Place>\n`,
    'export type Place = { method: string; path: string; mediaType: string | null }\n',
  ].join('\n')
}

type Placed = { method: string; path: string; operation: Operation }

function operationType({ operation }: Placed): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const fields = (place: 'path' | 'query') =>
    typeOf(
      {
        type: 'object',
        properties: Object.fromEntries(
          parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]),
        ),
        required: parameters.filter((one) => one.in === place && one.required).map(({ name }) => name),
      },
      '    ',
    )
  const body = requestBody?.content['application/json']?.schema
  const lines = [
    `    path: ${fields('path')}`,
    `    query: ${fields('query')}`,
    `    body: ${body ? typeOf(body, '    ') : 'undefined'}`,
    `    answer: ${answerType(responses)}`,
  ]
  return `  /** ${summary ?? operationId} */\n  ${operationId}: {\n${lines.join('\n')}\n  }\n`
}

function operationPlace({ method, path, operation }: Placed): string {
  const [mediaType] = Object.keys(successOf(operation.responses)?.content ?? {})
  const place = { method, path, mediaType: mediaType ?? null }
  const text = Object.entries(place).map(([name, value]) => `${name}: ${value === null ? 'null' : quoted(value)}`)
  return `  ${operation.operationId}: { ${text.join(', ')} },\n`
}

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
