import type { Db } from '#db/pool.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { MergeMethod } from './merge-store.ts'
import type { Pull } from './pull.ts'
import { saveHostPull, type HostPullState } from './save-host-pull.ts'

type Place = { organizationId: number; path: string }
type Merge = { method: MergeMethod; expectedHead: string; title?: string; message?: string }
export type HostPullChanges = {
  title?: string
  body?: string
  state?: 'open' | 'closed' | 'draft' | 'ready_for_review'
}

/** What any host does for its pull requests. */
export type HostPullStore = {
  getPull(repo: Place, number: number): Promise<HostPullState>
  updatePull(repo: Place, number: number, changes: HostPullChanges): Promise<HostPullState>
  mergePull(repo: Place, number: number, merge: Merge): Promise<{ commit: string }>
}

type HostPull = { repo: Repo; pull: Pull; store: HostPullStore }

/** Has another host change a pull request, and keeps what it is then. */
export async function updateHostPull(
  db: Db,
  { repo, pull, store, changes }: HostPull & { changes: HostPullChanges },
): Promise<Pull> {
  const told = await store.updatePull(repo, pull.number, changes)
  return saveHostPull(db, { organizationId: pull.organizationId, repoId: repo.id, pull: told })
}

/** Has another host merge a pull request, once. */
export async function mergeHostPull(db: Db, { repo, pull, store, merge }: HostPull & { merge: Merge }): Promise<Pull> {
  const ids = { organizationId: pull.organizationId, repoId: repo.id }
  const before = await saveHostPull(db, { ...ids, pull: await store.getPull(repo, pull.number) })
  if (before.merged) return before
  await store.mergePull(repo, pull.number, merge)
  return saveHostPull(db, { ...ids, pull: await store.getPull(repo, pull.number) })
}
