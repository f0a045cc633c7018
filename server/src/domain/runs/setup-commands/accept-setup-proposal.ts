import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { scriptOf, setupProposalColumns, type SetupProposal } from './setup-proposal.ts'

export type AcceptSetupProposal = {
  organizationId: number
  repoId: number
  n: number
  /** Null: nobody, a setting does. */
  userId: number | null
  /** Whether the test command becomes a check of the repository too, where none of that name is. */
  addCheck: boolean
}

/** By this name. */
const checkName = 'test'

/**
 * Makes the commands the repository's own. One that is accepted already stays so. Throws `repo_not_found`,
 * `setup_proposal_not_found`, `conflict` for one that a later one has taken the place of.
 */
export async function acceptSetupProposal(db: Db, request: AcceptSetupProposal): Promise<SetupProposal> {
  const { organizationId, repoId, n, userId, addCheck } = request
  return inTransaction(db, async (tx) => {
    await getRepo(tx, { organizationId, repoId })
    await tx.query('select from repos where organization_id = $1 and id = $2 for no key update', [
      organizationId,
      repoId,
    ])
    const found = await maybeOne<SetupProposal>(
      tx,
      `select ${setupProposalColumns} from setup_proposals where organization_id = $1 and repo_id = $2 and n = $3`,
      [organizationId, repoId, n],
    )
    if (!found) throw new AppError('setup_proposal_not_found')
    if (found.state === 'superseded')
      throw new AppError('conflict', { message: `Proposal ${n} was superseded by a later one.` })
    const checks =
      addCheck && found.testCommand !== null ? JSON.stringify([{ name: checkName, command: found.testCommand }]) : '[]'
    await tx.query(
      `update repos set setup_commands = $3, check_commands = case
         when exists (select from json_array_elements(check_commands) c where c->>'name' = $5) then check_commands
         else (check_commands::jsonb || $4::jsonb)::json end
       where organization_id = $1 and id = $2`,
      [organizationId, repoId, scriptOf(found.commands) || null, checks, checkName],
    )
    if (found.state === 'accepted') return found
    await tx.query(
      `update setup_proposals set state = 'superseded' where organization_id = $1 and repo_id = $2 and state = 'accepted'`,
      [organizationId, repoId],
    )
    return one<SetupProposal>(
      tx,
      `update setup_proposals set state = 'accepted', accepted_at = now(), accepted_by = $4
       where organization_id = $1 and repo_id = $2 and n = $3 returning ${setupProposalColumns}`,
      [organizationId, repoId, n, userId],
    )
  })
}
