import { removeSecret } from '#domain/repos/secrets/remove-secret.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RepoSecretParams, SecretParams } from '#http/schemas/secret.ts'

export const removeSecretRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/secrets/:name`,
  operationId: 'removeSecret',
  tag: 'Secrets',
  summary: 'Remove an organization secret',
  policy: 'standard',
  access: 'manage_secrets',
  params: SecretParams,
  success: { status: 204, description: 'Removed.' },
  errors: ['secret_not_found'],
  handle: ({ db, params }) => removeSecret(db, { organizationId: params.org_id, repoId: null, name: params.name }),
})

export const removeRepoSecretRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id/secrets/:name`,
  operationId: 'removeRepoSecret',
  tag: 'Secrets',
  summary: 'Remove a repository secret',
  policy: 'standard',
  access: 'manage_secrets',
  params: RepoSecretParams,
  success: { status: 204, description: 'Removed.' },
  errors: ['repo_not_found', 'secret_not_found'],
  handle: ({ db, params }) =>
    removeSecret(db, { organizationId: params.org_id, repoId: params.repo_id, name: params.name }),
})
