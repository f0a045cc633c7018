import { gitLimits } from '#base/hosts/git-limits.ts'
import { subjectOf } from '#base/hosts/host-event.ts'
import { one, type Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import { getHostActor } from '#domain/accounts/users/get-host-actor.ts'
import { findFollowedBranches } from './find-followed-branches.ts'

/** A branch that a push moved: from where, and to where; null where it is not. */
export type BranchMove = { branch: string; before: string | null; commit: string | null }

export type RecordBranchMoves = {
  organizationId: number
  repoId: number
  moves: BranchMove[]
  /** The run that pushed; null: people, or a merge. */
  runId: number | null
  /** Who of ours pushed, or merged; null for a run. */
  userId: number | null
}

/**
 * Tells whoever acts on pushes, in the transaction that stores what follows from them. Of many moves at once all are kept, but
 * only those are handed to workers that something may follow from.
 */
export async function recordBranchMoves(
  tx: Db,
  { organizationId, repoId, moves, runId, userId }: RecordBranchMoves,
): Promise<void> {
  const { at } = await one<{ at: Date }>(tx, 'select now() as at')
  const actor = userId === null ? null : await getHostActor(tx, { userId })
  const branches = moves.map(({ branch }) => branch)
  const followed =
    moves.length > gitLimits.followedMovesMax
      ? await findFollowedBranches(tx, { organizationId, repoId, branches })
      : null
  // No statement may take long.
  for (let from = 0; from < moves.length; from += movesAtOnce) {
    const some = moves.slice(from, from + movesAtOnce)
    const events = some.map(
      ({ branch, before, commit }) =>
        ({ type: 'push', branch, before, after: commit, runId, actor, at: at.toISOString() }) as const,
    )
    await tx.query(record, [
      organizationId,
      repoId,
      events.map(subjectOf),
      events.map((event) => JSON.stringify(event)),
      some.map(({ branch }) => followed?.has(branch) ?? true),
    ])
  }
  await wakeWorkers(tx, { jobs: true })
}

const movesAtOnce = 5_000

const record = `
  with moved as (
    insert into host_events (organization_id, repo_id, subject, event, done_at)
    select $1, $2, subject, event, case when not is_followed then now() end
    from unnest($3::text[], $4::jsonb[], $5::boolean[]) with ordinality as m (subject, event, is_followed, n) order by n
    returning id, subject, done_at)
  select request_job($1, 'host_event', id::text, now(), concat_ws(' ', $2::bigint, subject)) from moved where done_at is null order by id`
