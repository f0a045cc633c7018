import { saveSecret } from '#domain/repos/secrets/save-secret.ts'
import { presentSecret } from '#http/present/present-secret.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { NewSecret, RepoSecretParams, SecretParams } from '#http/schemas/secret.ts'

const success = { status: 200, description: 'The secret, without its value.', component: 'Secret' } as const

export const saveSecretRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/secrets/:name`,
  operationId: 'saveSecret',
  tag: 'Secrets',
  summary: 'Set an organization secret',
  description: 'Replaces an existing secret with that name. Turns that start after that get the new value.',
  policy: 'standard',
  access: 'manage_secrets',
  params: SecretParams,
  body: NewSecret,
  success,
  errors: ['conflict'],
  handle: async ({ app, db, params, body }) => {
    const place = { organizationId: params.org_id, repoId: null }
    return presentSecret(await saveSecret(db, app.secretBox, { ...place, name: params.name, value: body.value }))
  },
})

export const saveRepoSecretRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/repos/:repo_id/secrets/:name`,
  operationId: 'saveRepoSecret',
  tag: 'Secrets',
  summary: 'Set a repository secret',
  description: 'Replaces an existing secret with that name. It overrides an organization secret with the same name.',
  policy: 'standard',
  access: 'manage_secrets',
  params: RepoSecretParams,
  body: NewSecret,
  success,
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ app, db, params, body }) => {
    const place = { organizationId: params.org_id, repoId: params.repo_id }
    return presentSecret(await saveSecret(db, app.secretBox, { ...place, name: params.name, value: body.value }))
  },
})
