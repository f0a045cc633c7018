import type { HostPullChanges } from '#base/hosts/host-facts.ts'
import { one, type Db } from '#db/pool.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { pullColumns, type Pull } from './pull.ts'
import type { PullForge, PullMerge } from './pull-hosts.ts'
import { saveHostPull } from './save-host-pull.ts'

type Asked = { repo: Repo; pull: Pull; forge: PullForge }

/** Has another host change a pull request, and keeps what it is then. */
export async function updateHostPull(
  db: Db,
  { repo, pull, forge, changes }: Asked & { changes: HostPullChanges },
): Promise<Pull> {
  const updated = await forge.updatePull(repo, pull.number, changes)
  return saveHostPull(db, { organizationId: pull.organizationId, repoId: repo.id, pull: updated })
}

/** Has another host merge a pull request, once. */
export async function mergeHostPull(db: Db, { repo, pull, forge, merge }: Asked & { merge: PullMerge }): Promise<Pull> {
  const ids = { organizationId: pull.organizationId, repoId: repo.id }
  const before = await saveHostPull(db, { ...ids, pull: await forge.getPull(repo, pull.number) })
  if (before.merged) return before
  await forge.mergePull(repo, pull.number, merge)
  return saveHostPull(db, { ...ids, pull: await forge.getPull(repo, pull.number) })
}

/** Has another host open the pull request that undoes a merged one, and keeps what it undoes. */
export async function revertHostPull(
  db: Db,
  { repo, pull, forge, words }: Asked & { words: { title: string; body: string } },
): Promise<Pull> {
  const ids = { organizationId: pull.organizationId, repoId: repo.id }
  const opened = await saveHostPull(db, { ...ids, pull: await forge.revertPull(repo, pull.number, words) })
  return one<Pull>(
    db,
    `update pulls set reverts = $3 where organization_id = $1 and id = $2 returning ${pullColumns}`,
    [opened.organizationId, opened.id, pull.id],
  )
}
