import { readFileSync } from 'node:fs'
import path from 'node:path'
import { convertSchema, type Schema } from './convert-schema.ts'
import { openSchemas, textOf, type Schemas } from './open-schemas.ts'

/** As OpenAPI 3.0 has it. */
type Node = Record<string, unknown>
type Operation = { parameters?: Node[]; requestBody?: Node; responses?: Record<string, Node> }
type Document = { paths: Record<string, Record<string, Operation>>; 'x-webhooks': Record<string, { post: Operation }> }

/** What one version of GitHub takes. Properties stand for parameters: those of the path in their order. */
type Request = { versions: string[]; path: string[]; pathSchema: Schema; query: Schema; body: Schema | null }
type Content = { schema: Schema; example?: unknown }
/** What some versions of GitHub answer with a status, or send. */
type Answer = Content & { versions: string[] }
type Published = {
  from: string
  /** By `GET /repos/{}/{}/pulls`, as names of parameters say nothing. Answers by status, in the order of the versions. */
  operations: Record<string, { requests: Request[]; answers: Record<string, Answer[]> }>
  /** By `pull_request opened`. */
  webhooks: Record<string, Answer[]>
  schemas: Record<string, Schema>
}

export type Excerpt = { operations: string[]; webhooks: string[] }

/** In the order of what is listed of them. */
const versions = ['api.github.com', 'ghes-3.17', 'ghes-3.19']

/** What GitHub's documents in this package say of some operations and webhooks, and nothing else of them. */
export function extractApi(folder: string, excerpt: Excerpt): Published {
  const { name, version } = readJson(path.join(folder, 'package.json')) as { name: string; version: string }
  const published: Published = { from: `${name} ${version}`, operations: {}, webhooks: {}, schemas: {} }
  const schemas = openSchemas(published.schemas)
  for (const version of versions) {
    const document = readJson(path.join(folder, 'generated', `${version}.json`)) as Document
    const known = new Map<string, { at: string; operation: Operation }>()
    for (const [at, item] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(item))
        known.set(nameless(`${method.toUpperCase()} ${at}`), { at, operation })
    const reader = openReader(document, schemas.of(version))
    for (const key of [...new Set(excerpt.operations.map(nameless))].sort()) {
      const found = known.get(key)
      if (!found) continue
      const entry = (published.operations[key] ??= { requests: [], answers: {} })
      addRequest(entry.requests, version, reader.request(found.at, found.operation))
      for (const [status, answer] of reader.answers(found.operation))
        addAnswer((entry.answers[status] ??= []), version, answer)
    }
    for (const key of excerpt.webhooks.toSorted()) {
      const { post } = document['x-webhooks'][key.replaceAll(/[ _]/g, '-')] ?? {}
      const content = post?.requestBody && reader.content(post.requestBody)
      if (content) addAnswer((published.webhooks[key] ??= []), version, content)
    }
  }
  published.schemas = Object.fromEntries(Object.entries(published.schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return published
}

/** `GET /repos/{owner}/{repo}` and `GET /repos/{}/{}` are the same. */
export const nameless = (at: string): string => at.replaceAll(/\{[^}]*\}/g, '{}')

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** Most versions take the same. */
function addRequest(requests: Request[], version: string, request: Omit<Request, 'versions'>): void {
  const partsOf = ({ path, pathSchema, query, body }: typeof request) => JSON.stringify([path, pathSchema, query, body])
  const same = requests.find((other) => partsOf(other) === partsOf(request))
  if (same) same.versions.push(version)
  else requests.push({ versions: [version], ...request })
}

/** Where versions differ only in their examples, the first one's is as good. */
function addAnswer(answers: Answer[], version: string, { schema, example }: Content): void {
  const same = answers.find((other) => textOf(other.schema) === textOf(schema))
  if (same) same.versions.push(version)
  else answers.push({ versions: [version], schema, ...(example !== undefined && { example }) })
}

function openReader(document: Document, schemas: ReturnType<Schemas['of']>) {
  const find = (ref: string): Node => {
    let found: unknown = document
    for (const name of ref.split('/').slice(1)) found = (found as Node)[name]
    return found as Node
  }
  const resolve = (node: Node): Node => (typeof node['$ref'] === 'string' ? find(node['$ref']) : node)
  /** Requests are small, and compared: their schemas are whole. */
  const written = (node: Node): Schema => convertSchema(node, (ref) => written(find(ref)))
  const referred = (node: Node): Schema =>
    convertSchema(node, (ref) => schemas.refer(ref.slice(ref.lastIndexOf('/') + 1), () => referred(find(ref))))
  const jsonOf = (node: Node) => (resolve(node)['content'] as Record<string, Node> | undefined)?.['application/json']
  const content = (node: Node): Content | null => {
    const json = jsonOf(node)
    if (!json) return null
    const [first] = Object.values((json['examples'] ?? {}) as Record<string, Node>)
    const value = first && resolve(first)['value']
    const example = Array.isArray(value) ? value.slice(0, 1) : value
    return { schema: referred(json['schema'] as Node), ...(example !== undefined && { example }) }
  }
  return {
    content,
    answers: ({ responses = {} }: Operation) =>
      Object.entries(responses).map(([status, node]) => [status, content(node) ?? { schema: {} }] as const),
    request: (at: string, { parameters = [], requestBody }: Operation): Omit<Request, 'versions'> => {
      const all = parameters.map(resolve)
      const of = (place: string) => all.filter((parameter) => parameter['in'] === place)
      const schemaOf = (place: string): Schema => ({
        type: 'object',
        properties: Object.fromEntries(of(place).map((each) => [each['name'], written(each['schema'] as Node)])),
        required: of(place).flatMap((each) => (each['required'] === true ? [String(each['name'])] : [])),
        additionalProperties: false,
      })
      const body = requestBody && jsonOf(requestBody)
      return {
        path: [...at.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name),
        pathSchema: schemaOf('path'),
        query: schemaOf('query'),
        body: body ? closed(written(body['schema'] as Node)) : null,
      }
    },
  }
}

/** What GitHub does not name it does not read. */
const closed = (schema: Schema): Schema =>
  schema['properties'] && !('additionalProperties' in schema) && !('anyOf' in schema)
    ? { ...schema, additionalProperties: false }
    : schema
