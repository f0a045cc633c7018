import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { recordPush } from './record-push.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getUserName } from '#domain/accounts/users/get-user-name.ts'
import { conflicting } from './conflicting.ts'
import { getPull } from './get-pull.ts'
import { revertHostPull } from './host-pull.ts'
import type { PullHosts } from './pull-hosts.ts'
import { openPull } from './open-pull.ts'
import { pullUrl, type Pull } from './pull.ts'
import { refusePull } from './refuse-pull.ts'

export type RevertPull = {
  organizationId: number
  pullId: number
  hosts: PullHosts
  userId: number | null
  publicUrl: string
  at: Date
}

type Merged = { pull: Pull & { mergeCommit: string; mergeBase: string }; repo: Repo; request: RevertPull }

/**
 * Opens a pull request that undoes a merged one, or finds the one that does. (1) The commit is made, which no branch holds;
 * (2) a new branch is put there; (3) the pull request is opened, one at a time for each that it undoes: of two who come here at
 * once the later takes its branch away again. Another host opens its own. Answers the new one. `db` must be no transaction.
 * Throws `pull_not_found`, `merge_conflict`, `conflict`.
 */
export async function revertPull(db: Db, request: RevertPull): Promise<Pull> {
  const pull = await getPull(db, request)
  const repo = await getRepo(db, pull)
  if (!pull.merged) throw refusePull(pull.id, 'is not merged')
  if (pull.revert) return alreadyReverted(db, pull)
  if (repo.host !== 'local') return revertElsewhere(db, { pull, repo, request })
  const { mergeCommit, mergeBase } = pull
  if (mergeCommit === null || mergeBase === null) throw refusePull(pull.id, 'was not merged here')
  const merged: Merged = { pull: { ...pull, mergeCommit, mergeBase }, repo, request }
  const commit = await prepare(db, merged)
  const branch = await putBranch(db, { ...merged, commit })
  return open(db, { ...merged, commit, branch })
}

async function alreadyReverted(db: Db, pull: Pull): Promise<Pull> {
  const { organizationId, revert } = pull
  if (revert!.state === 'open') return getPull(db, { organizationId, pullId: revert!.id })
  throw refusePull(pull.id, `was reverted by number ${revert!.number}`)
}

async function revertElsewhere(
  db: Db,
  { pull, repo, request: { hosts } }: { pull: Pull; repo: Repo; request: RevertPull },
): Promise<Pull> {
  const words = { title: titleOf(pull), body: `Reverts #${pull.number}` }
  try {
    return await revertHostPull(db, { pull, repo, forge: hosts.forge(repo), words })
  } catch (error) {
    if (!isSecondRevert(error)) throw error
    return alreadyReverted(db, await getPull(db, { organizationId: pull.organizationId, pullId: pull.id }))
  }
}

/** Somebody else has opened another one at the same moment. */
const isSecondRevert = (error: unknown): boolean =>
  (error as { constraint?: string }).constraint === 'pulls_one_open_revert'

async function prepare(db: Db, { pull, repo, request }: Merged): Promise<string> {
  const { hosts, userId, at, publicUrl } = request
  const { branches } = await hosts.git(repo).mirror(repo)
  const onto = branches.get(pull.baseBranch)
  if (onto === undefined) throw refusePull(pull.id, `has no base any more: there is no branch ${pull.baseBranch}`)
  const by = await getUserName(db, { userId })
  const message = `${titleOf(pull)}\n\nThis reverts ${pullUrl(publicUrl, pull)}, merged as ${pull.mergeCommit}.\n`
  const made = await hosts.admin.prepareRevert(repo, {
    onto,
    before: pull.mergeBase,
    after: pull.mergeCommit,
    message,
    by,
    at,
  })
  if (made.outcome === 'ready') return made.commit
  if (made.outcome === 'conflict') throw conflicting(pull, made.paths)
  if (made.outcome === 'nothing') throw refusePull(pull.id, `has left nothing on ${pull.baseBranch} to revert`)
  throw refusePull(pull.id, 'changes too much to be reverted here: revert it with git')
}

const titleOf = ({ title }: Pull) => `Revert "${title}"`.slice(0, limits.pullTitleCharactersMax)

/** A branch of its own, whatever branches there are. */
async function putBranch(db: Db, { pull, repo, request, commit }: Merged & { commit: string }): Promise<string> {
  const { hosts, userId } = request
  const name = `revert-${pull.number}-${pull.headBranch}`
  const { branches } = await hosts.git(repo).mirror(repo)
  for (let n = 1; n <= limits.mergeTriesMax + branches.size; n++) {
    const branch = n === 1 ? name : `${name}-${n}`
    if (branches.has(branch) || !(await hosts.admin.landCommit(repo, { branch, expected: null, commit }))) continue
    const ids = { organizationId: pull.organizationId, repoId: repo.id }
    await recordPush(db, { ...ids, hosts, updates: [{ branch, before: null, commit }], runId: null, userId })
    return branch
  }
  throw refusePull(pull.id, `cannot be reverted: there is no room for a branch ${name}`)
}

async function open(
  db: Db,
  { pull, repo, request, ...at }: Merged & { commit: string; branch: string },
): Promise<Pull> {
  const { publicUrl, hosts, userId } = request
  const { organizationId, id, baseBranch } = pull
  try {
    const opened = await openPull(db, {
      organizationId,
      repoId: repo.id,
      runId: null,
      userId,
      title: titleOf(pull),
      body: `Reverts #${pull.number}: ${pullUrl(publicUrl, pull)}`,
      headBranch: at.branch,
      baseBranch,
      headCommit: at.commit,
      reverts: id,
      publicUrl,
    })
    return getPull(db, { organizationId, pullId: opened.pull.id })
  } catch (error) {
    if (!isSecondRevert(error)) throw error
    await hosts.git(repo).deleteBranch(repo, { branch: at.branch, expected: at.commit })
    return alreadyReverted(db, await getPull(db, { organizationId, pullId: id }))
  }
}
