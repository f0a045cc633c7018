import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordPullHeads } from './record-pull-heads.ts'
import { recordBranchMoves, type BranchMove } from '#domain/hosts/events/record-branch-moves.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'
import type { PushHosts } from './pull-hosts.ts'

export type RecordPush = {
  organizationId: number
  repoId: number
  hosts: PushHosts
  updates: BranchMove[]
  /** The run whose token pushed. */
  runId: number | null
  /** Who of ours pushed; null for a run. */
  userId: number | null
}

/** What follows from a person's or a run's push: pull requests move on, and the first push names the default branch. */
export async function recordPush(db: Db, push: RecordPush): Promise<void> {
  const { organizationId, repoId, hosts, updates, runId, userId } = push
  // First, since what follows from a push depends on which branch is the default one.
  const repo = await followFirstPush(db, push)
  await inTransaction(db, async (tx) => {
    await recordPullHeads(tx, { organizationId, repoId, updates })
    await recordBranchMoves(tx, { organizationId, repoId, moves: updates, runId, userId })
  })
  if (!repo || !updates.some(({ branch }) => branch === repo.defaultBranch)) return
  const language = await hosts.admin.languageOf(repo)
  await db.query(
    'update repos set language = $3 where organization_id = $1 and id = $2 and language is distinct from $3',
    [organizationId, repoId, language],
  )
}

/** Of two first pushes at once the row's lock lets one be the first. */
async function followFirstPush(
  db: Db,
  { organizationId, repoId, hosts, updates, runId }: RecordPush,
): Promise<Repo | undefined> {
  return inTransaction(db, async (tx) => {
    const repo = await maybeOne<Repo>(
      tx,
      `select ${repoColumns} from repos where organization_id = $1 and id = $2 for no key update`,
      [organizationId, repoId],
    )
    if (!repo || runId !== null) return repo
    const { branches } = await hosts.git(repo).mirror(repo)
    const pushed = updates.filter(({ branch }) => branches.has(branch)).map(({ branch }) => branch)
    const first = ['main', 'master'].find((name) => pushed.includes(name)) ?? pushed[0]
    if (first === undefined || branches.has(repo.defaultBranch)) return repo
    await hosts.admin.setDefaultBranch(repo, first)
    await tx.query('update repos set default_branch = $3 where organization_id = $1 and id = $2', [
      organizationId,
      repoId,
      first,
    ])
    return { ...repo, defaultBranch: first }
  })
}
