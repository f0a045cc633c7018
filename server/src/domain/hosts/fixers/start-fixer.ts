import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import { getCheckSettings } from './get-check-settings.ts'
import { initialState } from '#domain/hosts/fixer.ts'

export type StartFixer = {
  organizationId: number
  pullId: number
  runId: number
  at: Date
  /** A draft for a person to decide about: green checks do not end that. */
  isProposal?: boolean
}

/** Has a run look after the pull request that it has opened, from now on; one of somebody else is left to them. */
export async function startFixer(
  db: Db,
  { organizationId, pullId, runId, at, isProposal = false }: StartFixer,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const pull = await getPull(tx, { organizationId, pullId })
    if (pull.runId !== runId) return
    const { settings } = await getCheckSettings(tx, pull)
    const state = initialState({ head: pull.headCommit, at: at.getTime() })
    state.quietUntil += settings.settleSeconds * 1000
    if (pull.draft && !isProposal) state.isOurDraft = true
    await tx.query(
      `insert into pull_agents (organization_id, pull_id, repo_id, run_id, state) values ($1, $2, $3, $4, $5)
       on conflict (organization_id, pull_id) do nothing`,
      [organizationId, pullId, pull.repoId, runId, JSON.stringify(state)],
    )
    await requestJob(tx, { organizationId, kind: 'fixer', ref: pullId })
  })
}
