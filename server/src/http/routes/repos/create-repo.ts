import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { getIntegration } from '#domain/hosts/integrations/get-integration.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { connectRepo } from '#http/input/connect-repo.ts'
import { presentRepo } from '#http/present/present-repo.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'

export const createRepoRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos`,
  operationId: 'createRepo',
  tag: 'Repositories',
  summary: 'Create, import, or connect a repository',
  description:
    'With only `name`, creates an empty repository on the built-in host. With `import_from`, creates a copy there, which you can push to and pull from with git. With `integration_id` and `full_name`, connects a repository of an integration.',
  policy: 'standard',
  access: 'manage_repos',
  params: OrganizationParams,
  body: Type.Object({
    name: Type.Optional(Nullable(Text(100, { description: 'Defaults to the name of the source.' }))),
    import_from: Type.Optional(
      Nullable(
        Text(2000, {
          description:
            'URL of a repository, a path on the server if the operator allows it, or `example` for the example project that comes with Runwright.',
        }),
      ),
    ),
    description: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    integration_id: Type.Optional(
      Nullable({ ...Id, description: 'The integration for the code host of the repository. Requires `full_name`.' }),
    ),
    full_name: Type.Optional(Nullable(Text(300, { description: 'Owner and name, such as `acme/web`.' }))),
  }),
  success: { status: 201, description: 'The repository.', component: 'Repository' },
  errors: [
    'import_not_allowed',
    'import_failed',
    'integration_not_found',
    'integration_failed',
    'repo_name_taken',
    'storage_full',
  ],
  isLong: true,
  handle: async ({ app, db, keep, params, body }) => {
    const { name, import_from: importFrom, description, integration_id: integrationId, full_name: fullName } = body
    if (integrationId || fullName) {
      if (integrationId) await getIntegration(db, { organizationId: params.org_id, integrationId })
      if (!integrationId || !fullName || name || importFrom) throw notBoth()
      const repo = await connectRepo(app, db, { organizationId: params.org_id, integrationId, fullName })
      await keep(db, presentRepo(repo, app))
      return presentRepo(repo, app)
    }
    if (!name && !importFrom) {
      const fault = { loc: ['body', 'name'], msg: 'is required where there is no import_from', type: 'required' }
      throw new AppError('invalid_request', { message: `name ${fault.msg}.`, detail: [fault] })
    }
    const repo = await createRepo(db, {
      organizationId: params.org_id,
      admin: app.hosts.admin,
      description: description ?? null,
      recorded: (tx, repo) => keep(tx, presentRepo(repo, app)),
      ...(name ? { name } : {}),
      ...(importFrom ? { importFrom } : {}),
    })
    return presentRepo(repo, app)
  },
})

function notBoth(): AppError {
  const fault = {
    loc: ['body', 'integration_id'],
    msg: 'goes with full_name, and with neither name nor import_from',
    type: 'value',
  }
  return new AppError('invalid_request', { message: `integration_id ${fault.msg}.`, detail: [fault] })
}
