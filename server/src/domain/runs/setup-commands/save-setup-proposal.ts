import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { acceptSetupProposal } from './accept-setup-proposal.ts'
import { setupProposalColumns, type SetupProposal } from './setup-proposal.ts'

export type SaveSetupProposal = Pick<
  SetupProposal,
  'repoId' | 'commands' | 'testCommand' | 'notes' | 'evidence' | 'baseCommit' | 'lockfiles'
> & { holder: Holder }

/**
 * Keeps what a turn has found, once; it takes the place of an earlier proposal that nobody has accepted. Where a setting says
 * so, and a test has passed, it is accepted at once. Throws `LeaseLost`.
 */
export async function saveSetupProposal(db: Db, request: SaveSetupProposal): Promise<SetupProposal> {
  const { holder, repoId } = request
  const { organizationId, runId, turn } = holder
  return inTransaction(db, async (tx) => {
    const held = await maybeOne(
      tx,
      'select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for share',
      [organizationId, runId, holder.leaseId],
    )
    if (!held) throw new LeaseLost(runId)
    const { isAccepted } = await one<{ isAccepted: boolean }>(
      tx,
      `select coalesce(r.accept_setup_commands, (o.settings->>'accept_setup_commands')::boolean, false) as "isAccepted"
       from repos r join organizations o on o.id = r.organization_id where r.organization_id = $1 and r.id = $2
       for no key update of r`,
      [organizationId, repoId],
    )
    const known = await maybeOne<SetupProposal>(
      tx,
      `select ${setupProposalColumns} from setup_proposals where organization_id = $1 and run_id = $2 and turn = $3`,
      [organizationId, runId, turn],
    )
    if (known) return known
    await tx.query(
      `update setup_proposals set state = 'superseded' where organization_id = $1 and repo_id = $2 and state = 'proposed'`,
      [organizationId, repoId],
    )
    const made = await insert(tx, request)
    if (!isAccepted || made.testCommand === null) return made
    return acceptSetupProposal(tx, { organizationId, repoId, n: made.n, userId: null, addCheck: false })
  })
}

async function insert(tx: Db, request: SaveSetupProposal): Promise<SetupProposal> {
  const { organizationId, runId, turn } = request.holder
  return one<SetupProposal>(
    tx,
    `insert into setup_proposals (organization_id, repo_id, n, run_id, turn, state, commands, test_command, notes, evidence, base_commit, lockfiles)
     select $1, $2, coalesce(max(n), 0) + 1, $3, $4, 'proposed', $5, $6, $7, $8, $9, $10
     from setup_proposals where organization_id = $1 and repo_id = $2 returning ${setupProposalColumns}`,
    [
      organizationId,
      request.repoId,
      runId,
      turn,
      JSON.stringify(request.commands),
      request.testCommand,
      request.notes,
      JSON.stringify(request.evidence),
      request.baseCommit,
      JSON.stringify(request.lockfiles),
    ],
  )
}
