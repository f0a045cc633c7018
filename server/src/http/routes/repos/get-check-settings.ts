import { Type } from 'typebox'
import { getCheckSettings } from '#domain/hosts/fixers/get-check-settings.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { presentCheckSettings } from '#http/present/present-check-settings.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams } from '#http/schemas/fields.ts'

export const getCheckSettingsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/check-suite-settings`,
  operationId: 'getCheckSettings',
  tag: 'Repositories',
  summary: 'Get how agents fix failing checks in a repository',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({ repo_id: Id }),
  success: { status: 200, description: 'The settings.', component: 'CheckSuiteSettings' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, query }) => {
    const { id: repoId } = await getRepo(db, { organizationId: params.org_id, repoId: query.repo_id })
    return presentCheckSettings(await getCheckSettings(db, { organizationId: params.org_id, repoId }))
  },
})
