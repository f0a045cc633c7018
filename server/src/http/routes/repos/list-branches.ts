import { Type } from 'typebox'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { askHost } from '#http/input/ask-host.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, pageFields } from '#http/schemas/fields.ts'

export const listBranchesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/branches`,
  operationId: 'listBranches',
  tag: 'Repositories',
  summary: 'List the branches of a repository, the default branch first, then by name',
  description: 'On an external host, the list may be up to 15 seconds old.',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  query: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 255, description: 'Text to search for in the name.' })),
    ...pageFields,
  }),
  success: { status: 200, description: 'A page of branches.', component: 'BranchPage' },
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ app, db, params, query }) => {
    const repo = await getRepo(db, { organizationId: params.org_id, repoId: params.repo_id })
    const branches = await askHost('repo_not_found', () => app.hosts.git(repo).listBranches(repo))
    const words = query.q?.toLowerCase() ?? ''
    const found = Array.from(branches, ([name, commit]) => ({
      name,
      commit,
      is_default: name === repo.defaultBranch,
    })).filter(({ name }) => name.toLowerCase().includes(words))
    const sorted = found.toSorted((one, other) => Number(other.is_default) - Number(one.is_default))
    return pageOf({ items: sorted.slice(query.skip, query.skip + query.limit), total: sorted.length }, query)
  },
})
