import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { askHost } from '#http/input/ask-host.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentCheck } from '#http/present/present-check.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PageQuery } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const listPullChecksRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/checks`,
  operationId: 'listPullChecks',
  tag: 'Checks',
  summary: 'List the checks of a pull request',
  description: 'Checks of the head commit, as its code host currently reports them.',
  policy: 'standard',
  access: 'read',
  params: PullParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of checks, by name.', component: 'CheckPage' },
  errors: ['pull_not_found'],
  handle: async ({ app, db, params, query }) => {
    const organizationId = params.org_id
    const { repoId, headCommit } = await getPull(db, { organizationId, pullId: params.pr_id })
    const repo = await getRepo(db, { organizationId, repoId })
    const { checks } = await askHost('pull_not_found', () => app.hosts.forge(repo).listChecks(repo, headCommit))
    const items = checks.slice(query.skip, query.skip + query.limit).map(presentCheck)
    return pageOf({ items, total: checks.length }, query)
  },
})
