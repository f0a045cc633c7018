import type { FastifyRequest } from 'fastify'
import { openTenant } from '#domain/accounts/organizations/open-tenant.ts'
import type { Permission } from '#domain/accounts/users/roles.ts'
import { authorize } from './authorize.ts'
import type { HttpDb, HttpDeps } from './deps.ts'
import { organizationPath, type Call } from './route.ts'

type Enter = { organizationId: number; permission: Permission }

/**
 * For an endpoint whose organization is named elsewhere than in its path: the database as that organization sees it. Throws
 * `forbidden` as for one in the path.
 */
export async function enterOrganization(
  { deps, caller }: Pick<Call<unknown, unknown, unknown>, 'deps' | 'caller'>,
  { organizationId, permission }: Enter,
): Promise<HttpDb> {
  const { app } = deps as HttpDeps
  const request = { params: { org_id: String(organizationId) } } as unknown as FastifyRequest
  await authorize(app, request, { route: { path: organizationPath, access: permission }, principal: caller })
  return openTenant(app.pool, { organizationId })
}
