import { listRepos } from '#domain/repos/repos/list-repos.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentRepo } from '#http/present/present-repo.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listReposRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos`,
  operationId: 'listRepos',
  tag: 'Repositories',
  summary: 'List repositories',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of repositories.', component: 'RepositoryPage' },
  handle: async ({ app, db, params, query }) => {
    const { items, total } = await listRepos(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map((repo) => presentRepo(repo, app)), total }, query)
  },
})

/** The same at the address that the command line of the public service asks. */
export const listRepositoriesRoute = {
  ...listReposRoute,
  path: `${organizationPath}/repositories`,
  operationId: 'listRepositories',
}
