import { revertPull } from '#domain/hosts/pulls/revert-pull.ts'
import { askHost } from '#http/input/ask-host.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const revertPullRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/prs/:pr_id/revert`,
  operationId: 'revertPull',
  tag: 'Pull requests',
  summary: 'Open a pull request that reverts a merged one',
  description:
    'On a new branch, with one commit. If such a pull request is already open, it is returned. On an external host, that host opens it.',
  policy: 'standard',
  access: 'edit_pulls',
  params: PullParams,
  success: { status: 200, description: 'The pull request that reverts it.', component: 'PullRequest' },
  errors: ['pull_not_found', 'merge_conflict', 'conflict'],
  isLong: true,
  handle: async ({ app, db, params, caller }) => {
    const pull = await askHost('pull_not_found', () =>
      revertPull(db, {
        organizationId: params.org_id,
        pullId: params.pr_id,
        hosts: app.hosts,
        userId: caller.userId,
        publicUrl: app.publicUrl,
        at: app.clock.now(),
      }),
    )
    return presentPull(pull, app.publicUrl)
  },
})
