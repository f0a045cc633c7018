import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { AppError } from '#base/errors.ts'
import type { JsonObject, Json } from '#base/json.ts'
import type { Permission } from '#domain/accounts/users/roles.ts'
import { beginAuditEntry } from '#domain/accounts/audit/begin-audit-entry.ts'
import { endAuditEntry } from '#domain/accounts/audit/end-audit-entry.ts'
import { openTenant } from '#domain/accounts/organizations/open-tenant.ts'
import { callerOf } from './caller.ts'
import type { HttpApp } from './deps.ts'
import { logOfRequest } from './log-of-request.ts'
import { isOfOrganization, type Route } from './route.ts'

/** What members do all day is in runs, pull requests and their own settings, each of which says who did it. */
const daily: Permission[] = ['read', 'use_agents', 'push', 'edit_pulls', 'manage_profile']
/** Stands for a value that somebody wrote, which may be a secret. */
const written = '…'
const depthMax = 3

/** Whether who asks for it is written down. */
export function isAudited({ method, access, isAudited: isAlways = false, ...route }: Route): boolean {
  if (!isOfOrganization(route)) return false
  return isAlways || (method !== 'GET' && !daily.includes(access as Permission))
}

/**
 * Does what the request asks for between two rows of the audit log: no change is made of which nothing is written down. Where the end
 * of it cannot be written any more, the entry stays without a status.
 */
export async function auditRequest<Answer>(
  app: Pick<HttpApp, 'pool'>,
  { route, request }: { route: Route; request: FastifyRequest },
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const caller = callerOf(request)
  if (!caller || !isAudited(route)) return handle()
  const { org_id: organizationId, ...named } = request.params as { org_id: number } & JsonObject
  const db = openTenant(app.pool, { organizationId })
  const id = await beginAuditEntry(db, {
    organizationId,
    action: route.operationId,
    userId: caller.userId,
    credentialId: caller.credentialId,
    address: request.ip,
    requestId: request.id,
    named,
    changed: route.body ? describe(request.body as Json, route.body) : {},
  })
  const end = (status: number) =>
    endAuditEntry(db, { organizationId, id, status }).catch((error: Error) =>
      logOfRequest(request).warn({ err: error, event: 'audit_open' }, 'an entry of the audit log has no status'),
    )
  try {
    const answer = await handle()
    await end(route.success.status)
    return answer
  } catch (error) {
    await end(error instanceof AppError ? error.status : 500)
    throw error
  }
}

/** The fields of a body: numbers, yes and no, and words of a closed set as they are; of all else that it was given. */
function describe(body: Json, schema: TSchema): JsonObject {
  const shown = show(body, schema, 0)
  return typeof shown === 'object' && shown !== null && !Array.isArray(shown) ? shown : {}
}

function show(value: Json, schema: TSchema | undefined, depth: number): Json {
  const { properties, items, enum: words } = (schema ?? {}) as Shape
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return words?.includes(value) ? value : written
  if (depth === depthMax) return written
  if (Array.isArray(value)) return items ? value.map((each) => show(each, items, depth + 1)) : written
  if (!properties) return written
  const known = Object.entries(value).filter(([name]) => name in properties)
  return Object.fromEntries(known.map(([name, each]) => [name, show(each, properties[name], depth + 1)]))
}

type Shape = { properties?: Record<string, TSchema>; items?: TSchema; enum?: unknown[] }
