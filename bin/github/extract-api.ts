import { readFileSync } from 'node:fs'
import path from 'node:path'
import { convertSchema, type Schema } from './convert-schema.ts'

/** As OpenAPI 3.0 has it. */
type Node = Record<string, unknown>
type Operation = { parameters?: Node[]; requestBody?: Node; responses?: Record<string, Node> }
type Document = { paths: Record<string, Record<string, Operation>>; 'x-webhooks': Record<string, { post: Operation }> }

/** What one version of GitHub takes. Properties stand for parameters: those of the path in their order. */
type Request = { versions: string[]; path: string[]; pathSchema: Schema; query: Schema; body: Schema | null }
type Published = {
  from: string
  /** By `GET /repos/{}/{}/pulls`, as names of parameters say nothing. */
  operations: Record<string, { requests: Request[]; answers: Record<string, { schema: Schema; example?: unknown }> }>
  /** By `pull_request opened`. */
  webhooks: Record<string, { schema: Schema; example?: unknown }>
  schemas: Record<string, Schema>
}

export type Excerpt = { operations: string[]; webhooks: string[] }

/** The first one says what is answered; all of them say what may be asked. */
const versions = ['api.github.com', 'ghes-3.17', 'ghes-3.19']

/** What GitHub's documents in this package say of some operations and webhooks, and nothing else of them. */
export function extractApi(folder: string, excerpt: Excerpt): Published {
  const { name, version } = readJson(path.join(folder, 'package.json')) as { name: string; version: string }
  const published: Published = { from: `${name} ${version}`, operations: {}, webhooks: {}, schemas: {} }
  for (const [index, version] of versions.entries()) {
    const document = readJson(path.join(folder, 'generated', `${version}.json`)) as Document
    const known = new Map<string, { at: string; operation: Operation }>()
    for (const [at, item] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(item))
        known.set(nameless(`${method.toUpperCase()} ${at}`), { at, operation })
    const reader = openReader(document, index === 0 ? published.schemas : null)
    for (const key of [...new Set(excerpt.operations.map(nameless))].sort()) {
      const found = known.get(key)
      if (!found) continue
      const entry = (published.operations[key] ??= { requests: [], answers: {} })
      addRequest(entry.requests, version, reader.request(found.at, found.operation))
      if (index === 0) entry.answers = reader.answers(found.operation)
    }
    if (index > 0) continue
    for (const key of excerpt.webhooks.toSorted()) {
      const { post } = document['x-webhooks'][key.replaceAll(/[ _]/g, '-')] ?? {}
      if (post?.requestBody) published.webhooks[key] = reader.content(post.requestBody) as Published['webhooks'][string]
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
  const textOf = ({ path, pathSchema, query, body }: typeof request) => JSON.stringify([path, pathSchema, query, body])
  const same = requests.find((other) => textOf(other) === textOf(request))
  if (same) same.versions.push(version)
  else requests.push({ versions: [version], ...request })
}

/** `kept`: where schemas that are referred to go; null where they are written out. */
function openReader(document: Document, kept: Record<string, Schema> | null) {
  const find = (ref: string): Node => {
    let found: unknown = document
    for (const name of ref.split('/').slice(1)) found = (found as Node)[name]
    return found as Node
  }
  const resolve = (node: Node): Node => (typeof node['$ref'] === 'string' ? find(node['$ref']) : node)
  /** Requests are small, and compared: their schemas are whole. */
  const written = (node: Node): Schema => convertSchema(node, (ref) => written(find(ref)))
  const referred = (node: Node): Schema =>
    convertSchema(node, (ref) => {
      const name = ref.slice(ref.lastIndexOf('/') + 1)
      if (kept && !(name in kept)) {
        kept[name] = {}
        kept[name] = referred(find(ref))
      }
      return { $ref: `github#/schemas/${name}` }
    })
  const jsonOf = (node: Node) => (resolve(node)['content'] as Record<string, Node> | undefined)?.['application/json']
  const content = (node: Node): { schema: Schema; example?: unknown } | null => {
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
      Object.fromEntries(Object.entries(responses).map(([status, node]) => [status, content(node) ?? { schema: {} }])),
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
