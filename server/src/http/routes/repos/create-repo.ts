import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { createRepo } from '#domain/repos/create-repo.ts'
import { presentRepo } from '#http/present/present-repo.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'

export const createRepoRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos`,
  operationId: 'createRepo',
  tag: 'Repositories',
  summary: 'Make a repository, empty or a copy',
  description:
    'With `name` alone an empty one on the built-in host; with `import_from` a copy there, which git keeps pushing to and pulling from.',
  policy: 'standard',
  access: 'manage_repos',
  params: OrganizationParams,
  body: Type.Object({
    name: Type.Optional(Nullable(Text(100, { description: 'Taken from the source when left out.' }))),
    import_from: Type.Optional(
      Nullable(
        Text(2000, {
          description: 'The address of a repository, or a path on the server where the operator allows it.',
        }),
      ),
    ),
    description: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
  }),
  success: { status: 201, description: 'The repository.', component: 'Repository' },
  errors: ['import_not_allowed', 'import_failed', 'repo_name_taken'],
  isLong: true,
  handle: async ({ app, db, keep, params, body }) => {
    const { name, import_from: importFrom, description } = body
    if (!name && !importFrom) {
      const fault = { loc: ['body', 'name'], msg: 'is required where there is no import_from', type: 'required' }
      throw new AppError('invalid_request', { message: `name ${fault.msg}.`, detail: [fault] })
    }
    const repo = await createRepo(db, {
      organizationId: params.org_id,
      store: app.host,
      description: description ?? null,
      recorded: (tx, repo) => keep(tx, presentRepo(repo, app.publicUrl)),
      ...(name ? { name } : {}),
      ...(importFrom ? { importFrom } : {}),
    })
    return presentRepo(repo, app.publicUrl)
  },
})
