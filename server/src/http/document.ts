import swagger from '@fastify/swagger'
import fastify from 'fastify'
import { Type, type TObject } from 'typebox'
import { errorCodes, type ErrorCode } from '#base/errors.ts'
import { isOfOrganization, type Route } from './pipeline/route.ts'
import { components } from './schemas/index.ts'

const description = `Start AI agents that write code, fix bugs, and handle development tasks across an organization's
repositories. Follow their work and send follow-ups. Every authenticated response includes the headers RateLimit,
RateLimit-Policy, and X-RateLimit-*, which show how many requests the token has left.
Long JSON responses are compressed with gzip if the request accepts it.`.replaceAll('\n', ' ')

/** The API described: OpenAPI 3.1. Made of the routes alone, so it needs nothing that a running server needs. */
export async function buildDocument(routes: Route[]): Promise<object> {
  const server = fastify()
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => String)
  for (const component of components) server.addSchema(component)
  await server.register(swagger, { openapi: frame, refResolver: { buildLocalReference } })
  for (const route of routes) {
    const { method, path: url } = route
    server.route({ method, url, schema: schemaOf(route), exposeHeadRoute: false, handler: async () => {} })
  }
  await server.ready()
  const document = server.swagger()
  await server.close()
  // Names of components are in their keys already.
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === '$id' ? undefined : value))) as object
}

const token = { type: 'http', scheme: 'bearer', description: 'A token of a person or a service account.' } as const

const frame = {
  openapi: '3.1.1',
  info: { title: 'Runwright', version: '1', description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
  servers: [{ url: '/' }],
  components: { securitySchemes: { token } },
  security: [{ token: [] }],
}

/** A request that is sent again with the same key gets the first response again. */
const keyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Printable ASCII, unique for each operation. Retrying the request with the same key returns the first response again, for 24 hours.',
    }),
  ),
}

const tagHeader = {
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The ETag of a response that you already have, a list of ETags, or `*`.' }),
  ),
}

const takesKey = (route: Route) => route.method === 'POST' && route.access !== 'public'

const buildLocalReference = (json: { $id?: unknown }, _: unknown, __: unknown, n: number) =>
  typeof json.$id === 'string' ? json.$id : `Schema${n}`

function schemaOf(route: Route): object {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: withoutDefaults(route.query) } : {}),
    ...(route.body ? { body: route.body } : {}),
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(route.plannedEnd ? { deprecated: true } : {}),
    ...headersOf(route),
    response: { [route.success.status]: successOf(route), ...emptyOf(route), ...failuresOf(route) },
  }
}

/** What the endpoint itself takes, and what all of its kind take. */
function headersOf(route: Route): { headers?: object } {
  const properties = {
    ...route.headers?.properties,
    ...(takesKey(route) ? keyHeader : {}),
    ...(route.isTagged ? tagHeader : {}),
  }
  return Object.keys(properties).length ? { headers: Type.Object(properties) } : {}
}

/** What has a default need not be sent, though the handler always finds it. */
function withoutDefaults(query: TObject): object {
  const { required = [], properties } = query as {
    required?: string[]
    properties: Record<string, { default?: unknown }>
  }
  return { ...query, required: required.filter((name) => properties[name]?.default === undefined) }
}

function successOf({ success }: Route): object {
  const { description, component, otherwise, mediaType } = success
  if (success.status === 204) return { description, type: 'null' }
  const named = [component, otherwise].flatMap((name) => (name ? [{ $ref: `${name}#` }] : []))
  const schema = named.length > 1 ? { anyOf: named } : (named[0] ?? textOf(mediaType))
  return { description, content: { [mediaType ?? 'application/json']: { schema } } }
}

function emptyOf({ success, isTagged }: Route): Record<number, object> {
  return {
    ...(success.otherwiseEmpty ? { 204: { description: success.otherwiseEmpty, type: 'null' } } : {}),
    ...(isTagged
      ? { 304: { description: 'Not modified: nothing has changed since the given ETag.', type: 'null' } }
      : {}),
  }
}

const textOf = (mediaType: string | undefined) => ({
  type: 'string',
  ...(mediaType === 'application/octet-stream' ? { format: 'binary' } : {}),
})

/** Every error that the endpoint documents, by status. */
export function errorsOf(route: Route): ErrorCode[] {
  // What is sent to these is read, wanted or not.
  const takesBody = route.method !== 'GET'
  const takesInput = route.params || route.query || takesBody
  const codes: ErrorCode[] = [
    ...(takesInput ? (['invalid_request'] as const) : []),
    ...(route.access === 'public' ? [] : (['unauthorized'] as const)),
    ...(route.policy && route.access !== 'public' ? (['rate_limited'] as const) : []),
    ...(isOfOrganization(route) || (route.access !== 'public' && route.access !== 'token')
      ? (['forbidden'] as const)
      : []),
    'not_acceptable',
    ...(takesBody ? (['request_timeout', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(takesKey(route) ? (['idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
    ...(route.errors ?? []),
    ...(route.access === 'public' ? [] : (['internal', 'unavailable'] as const)),
  ]
  return [...new Set(codes)].sort((one, other) => errorCodes[one][0] - errorCodes[other][0])
}

const retryHeader = {
  'Retry-After': {
    type: 'integer',
    minimum: 1,
    description:
      'Seconds to wait. After that, the request is accepted if the token sends no other requests in the meantime.',
  },
}

function failuresOf(route: Route): Record<number, object> {
  const content = {
    'application/json': { schema: { $ref: 'ErrorBody#' } },
    'application/problem+json': { schema: { $ref: 'Problem#' } },
  }
  const failures: Record<number, object> = {}
  for (const [status, codes] of Object.entries(Object.groupBy(errorsOf(route), (code) => errorCodes[code][0]))) {
    const sentences = (codes ?? []).map((code) => `\`${code}\`: ${errorCodes[code][1]}`)
    const headers = status === '429' ? { headers: retryHeader } : {}
    failures[Number(status)] = { description: sentences.join('\n\n'), ...headers, content }
  }
  return failures
}
