import { Type } from 'typebox'
import { mergePull } from '#domain/hosts/pulls/merge-pull.ts'
import { mergeMethods } from '#domain/hosts/pulls/pull-hosts.ts'
import { askHost } from '#http/input/ask-host.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, Word } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const mergePullRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/prs/:pr_id/merge`,
  operationId: 'mergePull',
  tag: 'Pull requests',
  summary: 'Merge a pull request',
  description: 'If the pull request is already merged, it is returned as is. Repeated requests merge it only once.',
  policy: 'standard',
  access: 'merge_pulls',
  params: PullParams,
  body: Type.Object({
    method: Type.Optional(Nullable(Word(mergeMethods, { description: 'Defaults to a merge commit.' }))),
    expected_head: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[0-9a-f]{40}$',
          description:
            'The head commit that you have reviewed. If the branch has changed since then, nothing is merged.',
        }),
      ),
    ),
  }),
  success: { status: 200, description: 'The merged pull request.', component: 'PullRequest' },
  errors: ['pull_not_found', 'merge_conflict', 'conflict'],
  isLong: true,
  handle: async ({ app, db, params, body, caller }) => {
    const pull = await askHost('pull_not_found', () =>
      mergePull(db, {
        organizationId: params.org_id,
        pullId: params.pr_id,
        hosts: app.hosts,
        method: body.method ?? 'merge',
        expectedHead: body.expected_head ?? null,
        userId: caller.userId,
        at: app.clock.now(),
      }),
    )
    if (pull.runId !== null) app.notifier.notifyRun(pull.runId)
    return presentPull(pull, app.publicUrl)
  },
})
