import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getUserName } from '#domain/accounts/users/get-user-name.ts'
import { conflicting } from './conflicting.ts'
import { mergeHostPull } from './host-pull.ts'
import { getPull } from './get-pull.ts'
import { landMerge } from './land-merge.ts'
import type { MergeMethod, Prepared, PullHosts } from './pull-hosts.ts'
import { pullColumns, type Pull } from './pull.ts'
import { refusePull } from './refuse-pull.ts'
import { requireRules } from './require-rules.ts'

export type MergePull = {
  organizationId: number
  pullId: number
  hosts: PullHosts
  method: MergeMethod
  /** What the caller has seen; where the branch has moved on, nothing is merged. */
  expectedHead: string | null
  /** Null: the service itself. */
  userId: number | null
  /** Of the commit; made of the pull request when left out. */
  title?: string
  message?: string
  at: Date
}

/**
 * Merges a pull request, once however often and at once it is asked, and whoever dies on the way: (1) the commit is made,
 * which no branch holds; (2) the row says what is about to happen; (3) the base branch moves by compare-and-swap; (4) the
 * row says that it has happened. Who finds a row between 2 and 4 goes on with 3, or, where the pull request has changed since,
 * only looks whether that was done. The row is written anew once the base went elsewhere, and what it said cannot happen
 * any more. Another host merges its own. `db` must be no transaction.
 * Throws `pull_not_found`, `merge_conflict`, `conflict`.
 */
export async function mergePull(db: Db, request: MergePull): Promise<Pull> {
  const { organizationId, pullId, hosts } = request
  const known = await getPull(db, { organizationId, pullId })
  const at = await getRepo(db, known)
  if (at.host !== 'local') return mergeElsewhere(db, { pull: known, repo: at, request })
  for (let tries = 1; tries <= limits.mergeTriesMax; tries++) {
    const pull = await getPull(db, { organizationId, pullId })
    const repo = await getRepo(db, pull)
    if (pull.merged) return asMerged(pull, request)
    const intended = await land(db, { pull, repo, hosts })
    if (intended) return asMerged(intended, request)
    const prepared = await intend(db, { pull, repo, request })
    const merged = prepared && (await land(db, { pull: prepared, repo, hosts }))
    if (merged) return merged
  }
  throw refusePull(pullId, 'cannot be merged while its base branch keeps moving; try again')
}

function asMerged(pull: Pull, { expectedHead }: MergePull): Pull {
  if (expectedHead === null || expectedHead === pull.headCommit) return pull
  throw refusePull(pull.id, `is merged already, at ${pull.headCommit}`)
}

async function mergeElsewhere(db: Db, { pull, repo, request }: Intend): Promise<Pull> {
  const { hosts, method, expectedHead, title, message } = request
  const words = { ...(title !== undefined && { title }), ...(message !== undefined && { message }) }
  const merge = { method, expectedHead: expectedHead ?? pull.headCommit, ...words }
  return asMerged(await mergeHostPull(db, { repo, pull, forge: hosts.forge(repo), merge }), request)
}

type Intend = { pull: Pull; repo: Repo; request: MergePull }

/** Undefined where somebody else was quicker, and what they intend counts. */
async function intend(db: Db, { pull, repo, request }: Intend): Promise<Pull | undefined> {
  const { hosts, method, expectedHead, userId, at } = request
  if (pull.state === 'closed') throw refusePull(pull.id, 'is closed')
  if (pull.draft) throw refusePull(pull.id, 'is a draft')
  const { branches } = await hosts.git(repo).mirror(repo)
  const base = branches.get(pull.baseBranch)
  if (base === undefined) throw refusePull(pull.id, `has no base any more: there is no branch ${pull.baseBranch}`)
  const head = branches.get(pull.headBranch) ?? pull.headCommit
  if (expectedHead !== null && expectedHead !== head) throw refusePull(pull.id, `is at ${head}, not at ${expectedHead}`)
  await requireRules(db, { pull, repo, head })
  const by = await getUserName(db, { userId })
  const message = messageOf(pull, request)
  const prepared = await hosts.admin.prepareMerge(repo, {
    base,
    head,
    method,
    message,
    by,
    at,
  })
  if (prepared.outcome !== 'ready') {
    // The base may hold it because somebody else merged it since the row was read.
    if ((await getPull(db, request)).mergeCommit !== pull.mergeCommit) return undefined
    throw unmergeable(pull, prepared)
  }
  return maybeOne<Pull>(
    db,
    `update pulls set merge_commit = $3, merge_base = $4, merge_head = $5, merged_by = $6, merge_intended_at = now()
     where organization_id = $1 and id = $2 and state = 'open' and not draft and merge_commit is not distinct from $7
     returning ${pullColumns}`,
    [pull.organizationId, pull.id, prepared.commit, base, head, userId, pull.mergeCommit],
  )
}

function unmergeable(pull: Pull, prepared: Exclude<Prepared, { outcome: 'ready' }>): Error {
  switch (prepared.outcome) {
    case 'conflict':
      return conflicting(pull, prepared.paths)
    case 'nothing':
      return refusePull(pull.id, `changes nothing that ${pull.baseBranch} does not hold`)
    case 'too_many_commits':
      return refusePull(pull.id, `has more than ${limits.rebasedCommitsMax} commits, too many to rebase`)
    case 'too_large':
      return refusePull(pull.id, 'changes too much to be merged here: merge it with git')
  }
}

type Words = Pick<MergePull, 'method' | 'title' | 'message'>

function messageOf({ number, headBranch, ...pull }: Pull, { method, title, message }: Words): string {
  const isMerge = method === 'merge'
  const first = title ?? (isMerge ? `Merge pull request #${number} from ${headBranch}` : `${pull.title} (#${number})`)
  const rest = (message ?? (isMerge ? pull.title : pull.body)).trim()
  return `${first}\n${rest && `\n${rest}\n`}`
}

/** Does what the row says. Undefined where it says nothing, or what cannot or shall not happen any more. */
async function land(
  db: Db,
  { pull, repo, hosts }: { pull: Pull; repo: Repo; hosts: PullHosts },
): Promise<Pull | undefined> {
  const { mergeCommit, mergeBase } = pull
  if (mergeCommit === null || mergeBase === null) return undefined
  // A branch that is expected where it would go is only looked at.
  const expected = (await isStillMeant(hosts, repo, pull)) ? mergeBase : mergeCommit
  return landMerge(db, { pull: { ...pull, mergeCommit, mergeBase }, repo, hosts, expected })
}

async function isStillMeant(hosts: PullHosts, repo: Repo, pull: Pull): Promise<boolean> {
  if (pull.state === 'closed' || pull.draft) return false
  const { branches } = await hosts.git(repo).mirror(repo)
  return (branches.get(pull.headBranch) ?? pull.headCommit) === pull.mergeHead
}
