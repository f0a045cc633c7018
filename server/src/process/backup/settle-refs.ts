import type pg from 'pg'
import { holdsCommit, listPassed } from '#adapters/codehosts/local/list-passed.ts'
import { readRepoPath } from '#base/repo-path.ts'
import type { Refs } from '#adapters/codehosts/local/read-refs.ts'

export type SettleRefs = {
  /** The repository's folder, and its path below the folder of repositories. */
  repository: string
  path: string
  /** What was read before the snapshot was taken, and after; null: the repository was not there. */
  before: Refs | null
  after: Refs
  /** When `before` was read at the earliest, by the database's clock. */
  since: Date
  signal: AbortSignal
}

/**
 * Where each name was at the moment of the snapshot, as far as rows can tell: as after a crash at that moment, no row knows of a
 * move that did not happen, and none happened that no row knows of. What did not move in between was there. Of a move in between
 * the snapshot has the intention or the outcome, and then it had happened or is made again; else it came later.
 */
export async function settleRefs(snapshot: pg.ClientBase, options: SettleRefs): Promise<Refs> {
  const { path: place, before, after } = options
  const repo = readRepoPath(place)
  // A mirror is brought up to date by its host.
  if (repo && repo.host !== 'local') return after
  const had = before?.at ?? new Map<string, string>()
  const moved = [...new Set([...had.keys(), ...after.at.keys()])].filter((name) => had.get(name) !== after.at.get(name))
  const settled = new Map([...after.at].filter(([name, commit]) => had.get(name) === commit))
  for (const name of moved) {
    const commit = await settleRef(snapshot, { ...options, name, old: had.get(name), now: after.at.get(name) })
    if (commit !== undefined) settled.set(name, commit)
  }
  return { head: after.head, at: settled }
}

type Moved = SettleRefs & { name: string; old: string | undefined; now: string | undefined }

async function settleRef(snapshot: pg.ClientBase, moved: Moved): Promise<string | undefined> {
  const { repository, name, old, now, before, signal } = moved
  // Ours, which nobody is shown: what they hold stays for now, whether they are there or not.
  if (name.startsWith('refs/internal/')) return now
  const branch = /^refs\/heads\/(.*)$/s.exec(name)?.[1]
  if (branch === undefined) return before ? (old ?? now) : now
  const known = await findKnown(snapshot, moved, Buffer.from(branch, 'latin1').toString())
  const passed = now === undefined ? [] : [now, ...(await listPassed(repository, { from: old, to: now, signal }))]
  const last = passed.find((commit) => known.commits.has(commit))
  if (last !== undefined) return last
  if (known.pushed !== null && (await holdsCommit(repository, known.pushed, signal))) return known.pushed
  // A repository that came in between was made or imported with all its branches; a run's own is moved by pushes alone.
  return before || known.isOfRun ? old : now
}

type Known = { commits: Set<string>; pushed: string | null; isOfRun: boolean }

/** Commits that this branch was moved to or was about to be, by the snapshot; and the last that its run has pushed since `before` was read. */
async function findKnown(snapshot: pg.ClientBase, { path: place, since }: Moved, branch: string): Promise<Known> {
  const [organizationId, name] = place.split('/')
  const runId = /^run-(\d+)\.git$/.exec(name ?? '')?.[1] ?? null
  const values = [organizationId, readRepoPath(place)?.repoId ?? null, runId, branch]
  const { rows: named } = await snapshot.query<{ commit: string }>(
    `with own as (
       select * from runs where organization_id = $1 and (repo_id = $2 or $2::bigint is null and id = $3) and branch = $4)
     select branch_commit as commit from own
     union select unnest(array[e.request->>'commit', e.result->>'commit']) from own join effects e
       on e.organization_id = own.organization_id and e.run_id = own.id and e.kind = 'push' and e.state <> 'refused'
     union select head_commit from pulls where organization_id = $1 and repo_id = $2 and head_branch = $4
     union select merge_commit from pulls where organization_id = $1 and repo_id = $2 and base_branch = $4
     union select event->>'after' from host_events where organization_id = $1 and repo_id = $2 and event->>'branch' = $4`,
    values,
  )
  const { rows: runs } = await snapshot.query<{ pushed: string | null }>(
    `select (select coalesce(e.result->>'commit', e.request->>'commit') from effects e
       where e.organization_id = r.organization_id and e.run_id = r.id and e.kind = 'push' and e.state = 'done' and e.settled_at >= $5
       order by e.settled_at desc limit 1) as pushed
     from runs r where organization_id = $1 and (repo_id = $2 or $2::bigint is null and id = $3) and branch = $4`,
    [...values, since],
  )
  const commits = new Set(named.map(({ commit }) => commit))
  return { commits, pushed: runs.find(({ pushed }) => pushed)?.pushed ?? null, isOfRun: runs.length > 0 }
}
