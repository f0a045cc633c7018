import { Type } from 'typebox'
import { saveEgress } from '#domain/repos/egress/save-egress.ts'
import { presentEgress } from '#http/present/present-egress.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { NewEgress } from '#http/schemas/egress.ts'
import { Id, OrganizationParams } from '#http/schemas/fields.ts'

export const saveEgressRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/egress`,
  operationId: 'saveEgress',
  tag: 'Egress',
  summary: 'Set the egress policy of an organization',
  description:
    'Replaces the whole policy; omitted fields are emptied. Applies to runs in progress within a second or two.',
  policy: 'standard',
  access: 'manage_settings',
  params: OrganizationParams,
  body: NewEgress,
  success: { status: 200, description: 'The egress policy.', component: 'Egress' },
  handle: async ({ db, params, body }) => {
    const { allow = [], presets = [], from_file: isFromFileToo } = body
    const place = { organizationId: params.org_id, repoId: null }
    return presentEgress(await saveEgress(db, { ...place, allow, presets, isFromFileToo }))
  },
})

export const saveRepoEgressRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/repos/:repo_id/egress`,
  operationId: 'saveRepoEgress',
  tag: 'Egress',
  summary: 'Set the additional egress policy of a repository',
  description:
    'Replaces the whole policy; omitted fields are emptied. Applies to runs in progress within a second or two.',
  policy: 'standard',
  access: 'manage_settings',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  body: NewEgress,
  success: { status: 200, description: 'The egress policy.', component: 'Egress' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, body }) => {
    const { allow = [], presets = [], from_file: isFromFileToo } = body
    const place = { organizationId: params.org_id, repoId: params.repo_id }
    return presentEgress(await saveEgress(db, { ...place, allow, presets, isFromFileToo }))
  },
})
