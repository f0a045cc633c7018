import { Type } from 'typebox'
import { getEgress } from '#domain/repos/egress/get-egress.ts'
import { presentEgress } from '#http/present/present-egress.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams } from '#http/schemas/fields.ts'

export const getEgressRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/egress`,
  operationId: 'getEgress',
  tag: 'Egress',
  summary: 'Get the egress policy of an organization',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The egress policy.', component: 'Egress' },
  handle: async ({ db, params }) => presentEgress(await getEgress(db, { organizationId: params.org_id, repoId: null })),
})

export const getRepoEgressRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/egress`,
  operationId: 'getRepoEgress',
  tag: 'Egress',
  summary: 'Get the additional egress policy of a repository',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  success: { status: 200, description: 'The egress policy.', component: 'Egress' },
  errors: ['repo_not_found'],
  handle: async ({ db, params }) =>
    presentEgress(await getEgress(db, { organizationId: params.org_id, repoId: params.repo_id })),
})
