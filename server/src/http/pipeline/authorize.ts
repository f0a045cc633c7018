import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { parseId } from '#base/ids.ts'
import { findRole } from '#domain/accounts/organizations/find-role.ts'
import { permissions, roleMay, type Permission, type Role } from '#domain/accounts/users/roles.ts'
import { findSessionOwner } from '#domain/accounts/sessions/find-session-owner.ts'
import { findPrincipal } from '#domain/accounts/tokens/find-principal.ts'
import { findTicketOwner } from '#domain/accounts/tokens/find-ticket-owner.ts'
import type { Principal } from '#domain/accounts/tokens/principal.ts'
import { spendStreamTicket } from '#domain/accounts/tokens/spend-stream-ticket.ts'
import type { HttpApp, HttpDeps } from './deps.ts'
import type { Caller } from './caller.ts'
import { isOfOrganization, type Route } from './route.ts'
import { checkOrigin, readSessionCookie } from './session-cookie.ts'

/** What of a route says who may use it. */
type RouteAccess = Pick<Route, 'path' | 'access' | 'isTagged'>
type Authenticate = { request: FastifyRequest; reply: FastifyReply; route: Route }

/** Finds out who sends a request. Throws `unauthorized`, and `rate_limited` where too much was wrong lately. */
export async function authenticate(
  { app, wrongTokens }: Pick<HttpDeps, 'app' | 'wrongTokens'>,
  { request, reply, route }: Authenticate,
): Promise<Principal> {
  const shown = ticketOf(request, route) ?? request.headers.authorization ?? readSessionCookie(request, app)
  if (shown === undefined) throw new AppError('unauthorized')
  const say = (seconds: number) => void reply.header('retry-after', seconds)
  return wrongTokens.watch({ address: request.ip, shown, say }, () => findCaller(app, request, route))
}

async function findCaller(app: HttpApp, request: FastifyRequest, route: Route): Promise<Principal> {
  const ticket = ticketOf(request, route)
  if (ticket !== undefined) {
    const owner = await findTicketOwner(app.pool, app.tokenKeys, ticket)
    if (!owner) throw new AppError('unauthorized', { message: ticketRefusal })
    return owner
  }
  const session = request.headers.authorization === undefined ? readSessionCookie(request, app) : undefined
  if (session !== undefined) {
    checkOrigin(request)
    const owner = await findSessionOwner(app.pool, app.tokenKeys, session)
    if (!owner) throw new AppError('unauthorized', { message: 'You are signed out. Sign in again.' })
    return owner
  }
  const principal = await findPrincipal(app.pool, app.tokenKeys, readToken(request))
  if (!principal) throw new AppError('unauthorized', { message: 'This token is unknown, expired or revoked.' })
  return principal
}

/** Uses up the ticket of a request that came with one, once its rate limit has let it in. Throws `unauthorized`. */
export async function spendTicket(app: HttpApp, request: FastifyRequest, route: Route): Promise<void> {
  const ticket = ticketOf(request, route)
  if (ticket === undefined || (await spendStreamTicket(app.pool, app.tokenKeys, ticket))) return
  throw new AppError('unauthorized', { message: ticketRefusal })
}

const ticketRefusal = 'This ticket is unknown, expired or used.'

function ticketOf(request: FastifyRequest, route: Route): string | undefined {
  const { ticket } = request.query as { ticket?: unknown }
  if (!route.takesTicket || request.headers.authorization !== undefined) return undefined
  return typeof ticket === 'string' ? ticket : undefined
}

/**
 * Whether the caller may use the route with the organization in its path. Whether that organization exists is nobody's
 * business who is no member of it. Throws `forbidden`. A malformed id is left to validation, which comes later.
 */
export async function authorize(
  app: HttpApp,
  request: FastifyRequest,
  { route, principal }: { route: RouteAccess; principal: Principal },
): Promise<Caller> {
  if (!isOfOrganization(route)) {
    if (route.access === 'instance_admin' && !principal.isInstanceAdmin) {
      throw new AppError('forbidden', {
        message: 'Only admins of this instance may do that, with a token that is not bound to an organization.',
      })
    }
    checkScope(principal, route)
    return { ...principal, role: null }
  }
  const organizationId = parseId((request.params as { org_id: string }).org_id)
  if (organizationId === undefined) return { ...principal, role: null }
  const isElsewhere = principal.organizationId !== null && principal.organizationId !== organizationId
  const role = isElsewhere ? undefined : await roleOf(app, { organizationId, principal, route })
  if (!role) throw new AppError('forbidden', { message: 'This token does not belong to this organization.' })
  const permission = permissionOf(route)
  if (permission && !roleMay(role, permission)) {
    throw new AppError('forbidden', { message: `The role ${role} is not allowed to do that in this organization.` })
  }
  checkScope(principal, route)
  return { ...principal, role }
}

/** What is read over and over may be read for a moment longer; everything else is asked of the database each time. */
async function roleOf(
  app: HttpApp,
  { organizationId, principal, route }: { organizationId: number; principal: Principal; route: RouteAccess },
): Promise<Role | undefined> {
  const known = route.isTagged ? principal.rolesSeen.get(organizationId) : undefined
  if (known) return known
  const role = await findRole(app.pool, { organizationId, userId: principal.userId })
  if (role && route.isTagged) principal.rolesSeen.set(organizationId, role)
  return role
}

function checkScope(principal: Principal, route: RouteAccess): void {
  const permission = permissionOf(route)
  const scope = permission && permissions[permission].scope
  if (scope && !principal.scopes.includes(scope)) {
    throw new AppError('forbidden', { message: `This token does not have the scope ${scope}.` })
  }
}

function permissionOf({ access }: RouteAccess): Permission | undefined {
  return access === 'public' || access === 'token' || access === 'instance_admin' ? undefined : access
}

function readToken(request: FastifyRequest): string {
  const names = request.raw.rawHeaders.filter((_, n) => n % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === 'authorization').length > 1) {
    throw new AppError('invalid_request', { message: 'There is more than one Authorization header.' })
  }
  const header = request.headers.authorization
  if (header === undefined) throw new AppError('unauthorized')
  const token = /^Bearer +(\S.*)$/i.exec(header)?.[1]
  if (token === undefined)
    throw new AppError('unauthorized', { message: 'The Authorization header must have the form "Bearer <token>".' })
  return token.trimEnd()
}
