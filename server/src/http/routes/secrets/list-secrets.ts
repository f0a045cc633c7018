import { listSecrets, type ListSecrets } from '#domain/repos/secrets/list-secrets.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import type { HttpDb } from '#http/pipeline/deps.ts'
import { presentSecret } from '#http/present/present-secret.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'
import { RepoSecretsParams } from '#http/schemas/secret.ts'

export const listSecretsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/secrets`,
  operationId: 'listSecrets',
  tag: 'Secrets',
  summary: 'List organization secrets, without their values',
  policy: 'standard',
  access: 'manage_secrets',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of secrets.', component: 'SecretPage' },
  handle: ({ db, params, query }) => list(db, { organizationId: params.org_id, repoId: null, ...query }),
})

export const listRepoSecretsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/secrets`,
  operationId: 'listRepoSecrets',
  tag: 'Secrets',
  summary: 'List repository secrets, without their values',
  policy: 'standard',
  access: 'manage_secrets',
  params: RepoSecretsParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of secrets.', component: 'SecretPage' },
  errors: ['repo_not_found'],
  handle: ({ db, params, query }) => list(db, { organizationId: params.org_id, repoId: params.repo_id, ...query }),
})

async function list(db: HttpDb, request: ListSecrets) {
  const { items, total } = await listSecrets(db, request)
  return pageOf({ items: items.map(presentSecret), total }, request)
}
