import { makeMerge, mergeTree, notifyMoves, readBranches, type PullIssue } from '#test/github/pulls.ts'
import { branchCommit, type Account, type Repository, type World } from '#test/github/world.ts'

/** Puts the base into the head's branch, or the head's commits on top of the base; false where they are at odds. */
export async function updateBranch(
  world: World,
  repository: Repository,
  issue: PullIssue,
  { method, by }: { method: 'merge' | 'rebase'; by: Account },
): Promise<boolean> {
  const { head, base } = issue.pull
  const onto = (await branchCommit(repository, base.branch)) ?? base.sha
  const title = `Merge branch '${base.branch}' into ${head.branch}`
  const tree = await mergeTree(repository, head.sha, onto)
  const person = ['-c', `user.name=${by.login}`, '-c', `user.email=${by.email ?? `${by.id}@example.com`}`]
  const merge = () => repository.git(...person, 'commit-tree', tree ?? '', '-p', head.sha, '-p', onto, '-m', title)
  const rebase = () => makeMerge(world, repository, issue, { method, title, message: '', by })
  const commit = tree && (await (method === 'merge' ? merge() : rebase()))
  if (!commit) return false
  const before = await readBranches(repository)
  await repository.git('update-ref', `refs/heads/${head.branch}`, commit)
  await notifyMoves(world, repository, { before, by })
  return true
}
