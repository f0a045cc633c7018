import { one, rows, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { setupProposalColumns, type SetupProposal } from './setup-proposal.ts'

export type ListSetupProposals = { organizationId: number; repoId: number; skip: number; limit: number }

/** A page of a repository's proposals, the newest first. Throws `repo_not_found`. */
export async function listSetupProposals(
  db: Db,
  { organizationId, repoId, skip, limit }: ListSetupProposals,
): Promise<{ items: SetupProposal[]; total: number }> {
  await getRepo(db, { organizationId, repoId })
  const items = await rows<SetupProposal>(
    db,
    `select ${setupProposalColumns} from setup_proposals where organization_id = $1 and repo_id = $2 order by n desc offset $3 limit $4`,
    [organizationId, repoId, skip, limit],
  )
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from setup_proposals where organization_id = $1 and repo_id = $2',
    [organizationId, repoId],
  )
  return { items, total }
}
