import type { HostPull, HostPullChanges } from '#base/hosts/host-facts.ts'
import { one, type Db } from '#db/pool.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { MergeMethod } from './merge-store.ts'
import { pullColumns, type Pull } from './pull.ts'
import { saveHostPull } from './save-host-pull.ts'

type Place = { organizationId: number; path: string }
type Merge = { method: MergeMethod; expectedHead: string; title?: string; message?: string }

/** What any host does for its pull requests. */
export type HostPullStore = {
  getPull(repo: Place, number: number): Promise<HostPull>
  updatePull(repo: Place, number: number, changes: HostPullChanges): Promise<HostPull>
  mergePull(repo: Place, number: number, merge: Merge): Promise<{ commit: string }>
  revertPull(repo: Place, number: number, words: { title: string; body: string }): Promise<HostPull>
}

type Asked = { repo: Repo; pull: Pull; store: HostPullStore }

/** Has another host change a pull request, and keeps what it is then. */
export async function updateHostPull(
  db: Db,
  { repo, pull, store, changes }: Asked & { changes: HostPullChanges },
): Promise<Pull> {
  const told = await store.updatePull(repo, pull.number, changes)
  return saveHostPull(db, { organizationId: pull.organizationId, repoId: repo.id, pull: told })
}

/** Has another host merge a pull request, once. */
export async function mergeHostPull(db: Db, { repo, pull, store, merge }: Asked & { merge: Merge }): Promise<Pull> {
  const ids = { organizationId: pull.organizationId, repoId: repo.id }
  const before = await saveHostPull(db, { ...ids, pull: await store.getPull(repo, pull.number) })
  if (before.merged) return before
  await store.mergePull(repo, pull.number, merge)
  return saveHostPull(db, { ...ids, pull: await store.getPull(repo, pull.number) })
}

/** Has another host open the pull request that undoes a merged one, and keeps what it undoes. */
export async function revertHostPull(
  db: Db,
  { repo, pull, store, words }: Asked & { words: { title: string; body: string } },
): Promise<Pull> {
  const ids = { organizationId: pull.organizationId, repoId: repo.id }
  const opened = await saveHostPull(db, { ...ids, pull: await store.revertPull(repo, pull.number, words) })
  return one<Pull>(
    db,
    `update pulls set reverts = $3 where organization_id = $1 and id = $2 returning ${pullColumns}`,
    [opened.organizationId, opened.id, pull.id],
  )
}
