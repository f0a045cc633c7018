import { Type } from 'typebox'
import { saveEgress } from '#domain/egress/save-egress.ts'
import { presentEgress } from '#http/present/present-egress.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { NewEgress } from '#http/schemas/egress.ts'
import { Id, OrganizationParams } from '#http/schemas/fields.ts'

export const saveEgressRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/egress`,
  operationId: 'saveEgress',
  tag: 'Egress',
  summary: 'Say what sandboxes of the organization may reach',
  description: 'All of it anew: what is left out is none. Runs at work go by it within a second or two.',
  policy: 'standard',
  access: 'manage_settings',
  params: OrganizationParams,
  body: NewEgress,
  success: { status: 200, description: 'What they may reach.', component: 'Egress' },
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
  summary: 'Say what sandboxes may reach besides in runs of a repository',
  description: 'All of it anew: what is left out is none. Runs at work go by it within a second or two.',
  policy: 'standard',
  access: 'manage_settings',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  body: NewEgress,
  success: { status: 200, description: 'What they may reach.', component: 'Egress' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, body }) => {
    const { allow = [], presets = [], from_file: isFromFileToo } = body
    const place = { organizationId: params.org_id, repoId: params.repo_id }
    return presentEgress(await saveEgress(db, { ...place, allow, presets, isFromFileToo }))
  },
})
