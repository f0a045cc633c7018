import { deletePullBranch } from '#domain/hosts/pulls/delete-pull-branch.ts'
import { askHost } from '#http/input/ask-host.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const deletePullBranchRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/prs/:pr_id/branch`,
  operationId: 'deletePullBranch',
  tag: 'Pull requests',
  summary: 'Delete the branch of a merged pull request',
  description:
    'Refused if the branch has moved since the merge, is the default branch, or is needed by an open pull request. Repeated requests have no effect.',
  policy: 'standard',
  access: 'merge_pulls',
  params: PullParams,
  success: { status: 200, description: 'The pull request.', component: 'PullRequest' },
  errors: ['pull_not_found', 'conflict'],
  isLong: true,
  handle: async ({ app, db, params, caller }) => {
    const request = { organizationId: params.org_id, pullId: params.pr_id, hosts: app.hosts, userId: caller.userId }
    const pull = await askHost('pull_not_found', () => deletePullBranch(db, request))
    return presentPull(pull, app.publicUrl)
  },
})
