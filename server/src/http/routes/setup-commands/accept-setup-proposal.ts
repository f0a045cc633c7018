import { Type } from 'typebox'
import { acceptSetupProposal } from '#domain/runs/setup-commands/accept-setup-proposal.ts'
import { presentSetupProposal } from '#http/present/present-setup-proposal.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, Ordinal } from '#http/schemas/fields.ts'

export const acceptSetupProposalRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos/:repo_id/setup-proposals/:n/accept`,
  operationId: 'acceptSetupProposal',
  tag: 'Repositories',
  summary: 'Accept a setup proposal',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id, n: Ordinal }),
  body: Type.Object({
    add_check: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'Whether to add its test command as a check named `test`, unless a check with that name exists.',
        }),
      ),
    ),
  }),
  success: { status: 200, description: 'The proposal.', component: 'SetupProposal' },
  errors: ['repo_not_found', 'setup_proposal_not_found', 'conflict'],
  handle: async ({ db, params, body, caller }) => {
    const accepted = await acceptSetupProposal(db, {
      organizationId: params.org_id,
      repoId: params.repo_id,
      n: params.n,
      userId: caller.userId,
      addCheck: body.add_check ?? false,
    })
    return presentSetupProposal(accepted)
  },
})
