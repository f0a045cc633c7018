import { Type, type Static } from 'typebox'
import { limits } from '#base/limits.ts'
import { AppError } from '#base/errors.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { pullChanges, updatePull } from '#domain/hosts/pulls/update-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { askHost } from '#http/input/ask-host.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import { presentPullUpdate } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, Text, Word } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

const Changes = Type.Object({
  state: Type.Optional(Nullable(Word(pullChanges))),
  title: Type.Optional(Nullable(Text(limits.pullTitleCharactersMax))),
  body: Type.Optional(Nullable(Type.String({ maxLength: limits.commentCharactersMax }))),
  labels: Type.Optional(
    Nullable(
      Type.Array(Text(limits.pullLabelCharactersMax), {
        maxItems: limits.issueLabelsMax,
        description: 'All that it then has, on the built-in host.',
      }),
    ),
  ),
})

const route = {
  method: 'PATCH',
  tag: 'Pull requests',
  summary: 'Edit, label, close, or reopen a pull request',
  description: 'Fields that are omitted or null are left unchanged.',
  policy: 'standard',
  access: 'edit_pulls',
  body: Changes,
  success: { status: 200, description: 'The updated pull request.', component: 'PullRequestUpdate' },
} as const

export const updatePullRoute = defineRoute({
  ...route,
  path: `${organizationPath}/prs/:pr_id`,
  operationId: 'updatePull',
  params: PullParams,
  errors: ['pull_not_found', 'conflict'],
  handle: async ({ app, db, params, body }) =>
    change(app, db, { organizationId: params.org_id, pullId: params.pr_id, body }),
})

export const updateRepoPullRoute = defineRoute({
  ...route,
  path: `${organizationPath}/repos/:repo_id/prs/:pr_id`,
  operationId: 'updateRepoPull',
  params: Type.Object({ org_id: Id, repo_id: Id, pr_id: Id }),
  errors: ['repo_not_found', 'pull_not_found', 'conflict'],
  handle: async ({ app, db, params, body }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id }
    const repo = await getRepo(db, { organizationId: params.org_id, repoId: params.repo_id })
    if ((await getPull(db, ids)).repoId !== repo.id) throw new AppError('pull_not_found')
    return change(app, db, { ...ids, body })
  },
})

type Change = { organizationId: number; pullId: number; body: Static<typeof Changes> }

async function change(
  app: Pick<HttpApp, 'hosts' | 'notifier' | 'publicUrl'>,
  db: HttpDb,
  { organizationId, pullId, body }: Change,
) {
  const { title, body: words, state, labels } = body
  const request = {
    organizationId,
    pullId,
    title: title ?? undefined,
    body: words ?? undefined,
    state: state ?? undefined,
    labels: labels ?? undefined,
  }
  try {
    const pull = await askHost('pull_not_found', () => updatePull(db, { ...request, hosts: app.hosts }))
    if (pull.runId !== null) app.notifier.notifyRun(pull.runId)
    return presentPullUpdate(pull, app.publicUrl)
  } catch (error) {
    // What another host refuses is an answer, for people to read.
    if (!(error instanceof AppError && error.code === 'conflict' && error.cause)) throw error
    return presentPullUpdate(await getPull(db, { organizationId, pullId }), app.publicUrl, error.message)
  }
}
