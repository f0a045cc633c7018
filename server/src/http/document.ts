import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { errorCodes, type ErrorCode } from '#base/errors.ts'
import { isOfOrganization, type Route } from './route.ts'
import { components } from './schemas/index.ts'

const description = `Start AI agents that write code, fix bugs and handle development tasks across an organization's
repositories, read how they work, and send them on with follow-ups.`.replaceAll('\n', ' ')

/** Makes the server describe itself: OpenAPI 3.1 at `/openapi.json`. */
export async function addDocument(server: FastifyInstance): Promise<void> {
  for (const component of components) server.addSchema(component)
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Runwright',
        version: '1',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'A token of a person or a service account.' },
        },
      },
      security: [{ token: [] }],
    },
    refResolver: { buildLocalReference: (json, _, __, n) => (typeof json.$id === 'string' ? json.$id : `Schema${n}`) },
  })
  server.get('/openapi.json', { schema: { hide: true } }, async (_, reply) => {
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(documentOf(server)))
  })
}

/** The description of a server that is ready, without what only the router needs. */
export function documentOf(server: FastifyInstance): object {
  const document = server.swagger()
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === '$id' ? undefined : value))) as object
}

/** What the router checks and the documentation shows. */
export function schemaOf(route: Route): object {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...(route.body ? { body: route.body } : {}),
    ...(route.access === 'public' ? { security: [] } : {}),
    response: { [route.success.status]: successOf(route), ...failuresOf(route) },
  }
}

function successOf({ success }: Route): object {
  const { description, component, mediaType } = success
  if (success.status === 204) return { description, type: 'null' }
  const schema = component ? { $ref: `${component}#` } : { type: 'string' }
  return { description, content: { [mediaType ?? 'application/json']: { schema } } }
}

/** Every error that the endpoint documents, by status. */
export function errorsOf(route: Route): ErrorCode[] {
  const takesInput = route.params || route.query || route.body
  const codes: ErrorCode[] = [
    ...(takesInput ? (['invalid_request'] as const) : []),
    ...(route.access === 'public' ? [] : (['unauthorized'] as const)),
    ...(isOfOrganization(route) || route.access === 'instance_admin' ? (['forbidden'] as const) : []),
    'not_acceptable',
    ...(route.body ? (['request_timeout', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(route.errors ?? []),
    'internal',
    'unavailable',
  ]
  return [...new Set(codes)].sort((one, other) => errorCodes[one][0] - errorCodes[other][0])
}

function failuresOf(route: Route): Record<number, object> {
  const content = {
    'application/json': { schema: { $ref: 'Error#' } },
    'application/problem+json': { schema: { $ref: 'Problem#' } },
  }
  const failures: Record<number, object> = {}
  for (const [status, codes] of Object.entries(Object.groupBy(errorsOf(route), (code) => errorCodes[code][0]))) {
    const sentences = (codes ?? []).map((code) => `\`${code}\`: ${errorCodes[code][1]}`)
    failures[Number(status)] = { description: sentences.join('\n\n'), content }
  }
  return failures
}
