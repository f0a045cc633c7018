import { Type } from 'typebox'
import { listSetupProposals } from '#domain/runs/setup-commands/list-setup-proposals.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentSetupProposal } from '#http/present/present-setup-proposal.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, PageQuery } from '#http/schemas/fields.ts'

export const listSetupProposalsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/setup-proposals`,
  operationId: 'listSetupProposals',
  tag: 'Repositories',
  summary: 'List setup proposals of a repository, newest first',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  query: PageQuery,
  success: { status: 200, description: 'A page of proposals.', component: 'SetupProposalPage' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, query }) => {
    const page = await listSetupProposals(db, { organizationId: params.org_id, repoId: params.repo_id, ...query })
    return pageOf({ items: page.items.map(presentSetupProposal), total: page.total }, query)
  },
})
