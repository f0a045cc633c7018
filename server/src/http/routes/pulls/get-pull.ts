import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const getPullRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id`,
  operationId: 'getPull',
  tag: 'Pull requests',
  summary: 'Get a pull request',
  policy: 'standard',
  access: 'read',
  params: PullParams,
  success: { status: 200, description: 'The pull request.', component: 'PullRequest' },
  errors: ['pull_not_found'],
  handle: async ({ app, db, params }) =>
    presentPull(await getPull(db, { organizationId: params.org_id, pullId: params.pr_id }), app.publicUrl),
})
