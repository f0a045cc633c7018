import { limits } from '#base/limits.ts'
import { maskPull, readComparison } from '#http/input/read-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const getPullDiffRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/diff`,
  operationId: 'getPullDiff',
  tag: 'Pull requests',
  summary: 'Get the diff of a pull request',
  description:
    'Changes since the branch diverged from its base. For a merged pull request, the changes that were merged.',
  policy: 'standard',
  access: 'read',
  params: PullParams,
  success: { status: 200, description: 'A unified diff.', mediaType: 'text/x-diff' },
  errors: ['pull_not_found', 'branch_not_found', 'comparison_too_large'],
  handle: async ({ app, db, params }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id }
    return readComparison(db, ids, async ({ pull, repo, compare }) => {
      const diff = await app.hosts.git(repo).diff(repo, { ...compare, bytesMax: limits.diffBytesMax })
      return maskPull(app, pull, diff)
    })
  },
})
