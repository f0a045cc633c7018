import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { openTenant } from '#domain/accounts/organizations/open-tenant.ts'
import { auditRequest } from './audit-request.ts'
import { authorize } from './authorize.ts'
import { keepCaller } from './caller.ts'
import { checkRateLimit } from './check-rate-limit.ts'
import type { HttpDeps } from './deps.ts'
import type { Call, Route } from './route.ts'
import { validator, type Part } from './validate.ts'

type OuterCall = Omit<Call<unknown, unknown, unknown>, 'keep'>
export type CallRoute = {
  route: Route
  params: Record<string, unknown> & { org_id: number }
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

const compile = validator()

/**
 * Answers what another endpoint of an organization would answer the caller of this one: with the same rights, under its rate
 * limit, and written down as if they had asked for it. Throws what it would throw.
 */
export async function callRoute(
  call: OuterCall,
  { route, params, query = {}, body = {} }: CallRoute,
): Promise<unknown> {
  const deps = call.deps as HttpDeps
  const { caller, reply } = call
  if (route.policy && route.policy !== 'standard' && caller.kind !== 'session')
    await checkRateLimit(deps, { reply, policy: route.policy, sender: caller })
  const { 'if-none-match': _, ...headers } = call.request.headers
  const request = Object.create(call.request, {
    headers: { value: headers },
    params: { value: { ...params, org_id: String(params.org_id) }, writable: true },
    query: { value: query, writable: true },
    body: { value: body, writable: true },
  }) as FastifyRequest
  const inner = await authorize(deps.app, request, { route, principal: caller })
  keepCaller(request, inner)
  request.params = check('params', route.params, request.params)
  request.query = check('query', route.query, query)
  request.body = check('body', route.body, body)
  const isHere = (call.params as { org_id?: number } | undefined)?.org_id === params.org_id
  const asked = { params: request.params, query: request.query, body: request.body, request, caller: inner }
  const db = isHere ? call.db : openTenant(deps.app.pool, { organizationId: params.org_id })
  const handle = route.handle as (call: Call<unknown, unknown, unknown>) => Promise<unknown>
  const answer = await auditRequest(deps.app, { route, request }, () =>
    handle({ ...call, ...asked, db, keep: async () => {} }),
  )
  reply.removeHeader('etag')
  return typeof answer === 'string' || Buffer.isBuffer(answer) ? JSON.parse(String(answer)) : answer
}

function check(part: Part, schema: TObject | undefined, value: unknown): unknown {
  if (!schema) return value
  const checked = compile(part, schema)(value)
  if ('error' in checked) throw checked.error
  return checked.value
}
