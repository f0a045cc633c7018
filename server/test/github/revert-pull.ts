import { notifyMoves, keepHead, mergeTree, readBranches, type PullIssue } from './pulls.ts'
import { recordPull } from './record-pull.ts'
import { branchCommit, type Account, type Repository, type World } from './world.ts'

type Revert = { title: string | null; body: string | null; by: Account }

/** Opens the pull request that takes back a merged one, on the branch that GitHub names so; null where that cannot be done. */
export async function revertPull(
  world: World,
  repository: Repository,
  { number: reverted, title: what, pull }: PullIssue,
  { title, body, by }: Revert,
): Promise<PullIssue | null> {
  const onto = await branchCommit(repository, pull.base.branch)
  const branch = `revert-${reverted}-${pull.head.branch}`
  if (!onto || !pull.mergeCommit || !pull.mergedOnto || (await branchCommit(repository, branch))) return null
  const words = title ?? `Revert "${what}"`
  const person = ['-c', `user.name=${by.login}`, '-c', `user.email=${by.email ?? `${by.id}@example.com`}`]
  // The way back from the merge, merged with what came later.
  const from = ['commit-tree', `${pull.mergedOnto}^{tree}`, '-p', pull.mergeCommit, '-m', words]
  const tree = await mergeTree(repository, onto, await repository.git(...person, ...from))
  if (tree === null || tree === (await repository.git('rev-parse', `${onto}^{tree}`))) return null
  const sha = await repository.git(...person, 'commit-tree', tree, '-p', onto, '-m', words)
  const before = await readBranches(repository)
  await repository.git('update-ref', `refs/heads/${branch}`, sha)
  await notifyMoves(world, repository, { before, by })
  const number = repository.numbers + 1
  await keepHead(repository, number, repository, sha)
  const head = { repository, branch, sha }
  const base = { branch: pull.base.branch, sha: onto }
  return recordPull(world, repository, { number, title: words, body, draft: false, head, base, by })
}
