import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { GitError, runGit } from './run-git.ts'
import { readAuthorship, writeCommit, type Person } from './write-commit.ts'

/** `base`, `head`: commits. The message is that of a merge or a squash; rebased commits keep theirs. */
export type PrepareMerge = {
  base: string
  head: string
  method: 'merge' | 'squash' | 'rebase'
  message: string
  by: Person
  at: Date
}

export type PreparedMerge =
  | { outcome: 'ready'; commit: string }
  | { outcome: 'conflict'; paths: string[] }
  /** The base holds all of it already. */
  | { outcome: 'nothing' }
  | { outcome: 'too_many_commits' }
  /** Git needs more memory or time for it than it is given. */
  | { outcome: 'too_large' }

/**
 * Makes the commit that the base is at once it has taken in the head, and moves no branch. There is no work tree: trees
 * are merged as objects.
 */
export async function prepareMerge(repository: string, request: PrepareMerge): Promise<PreparedMerge> {
  return limited(() => prepare(repository, request))
}

async function limited(work: () => Promise<PreparedMerge>): Promise<PreparedMerge> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitError && error.reason === 'too_much') return { outcome: 'too_large' }
    throw error
  }
}

async function prepare(repository: string, request: PrepareMerge): Promise<PreparedMerge> {
  const { base, head, method, message, by, at } = request
  if (await isHeldBy(repository, { commit: head, by: base })) return { outcome: 'nothing' }
  if (method === 'rebase') return rebase(repository, request)
  const merged = await mergeTrees(repository, base, head)
  if ('paths' in merged) return { outcome: 'conflict', paths: merged.paths }
  const { tree } = merged
  if (method === 'squash' && tree === (await treeOf(repository, base))) return { outcome: 'nothing' }
  const parents = method === 'merge' ? [base, head] : [base]
  return { outcome: 'ready', commit: await writeCommit(repository, { tree, parents, by, at, message }) }
}

/** `onto` is to hold `after`, which came of `before`. */
export type PrepareRevert = Omit<PrepareMerge, 'base' | 'head' | 'method'> & {
  onto: string
  before: string
  after: string
}

/** Makes the commit on top of a branch that undoes what led from one of its commits to a later one, and moves no branch. */
export async function prepareRevert(
  repository: string,
  { onto, before, after, message, by, at }: PrepareRevert,
): Promise<PreparedMerge> {
  return limited(async () => {
    if (!(await isHeldBy(repository, { commit: after, by: onto }))) return { outcome: 'nothing' }
    // What stands for the way back has `after` as its parent, so that only what led there is undone.
    const tree = await treeOf(repository, before)
    const back = await writeCommit(repository, { tree, parents: [after], by, at, message: '' })
    const merged = await mergeTrees(repository, onto, back)
    if ('paths' in merged) return { outcome: 'conflict', paths: merged.paths }
    if (merged.tree === (await treeOf(repository, onto))) return { outcome: 'nothing' }
    return {
      outcome: 'ready',
      commit: await writeCommit(repository, { tree: merged.tree, parents: [onto], by, at, message }),
    }
  })
}

/** Whether a commit is another one or among its ancestors. */
export async function isHeldBy(repository: string, { commit, by }: { commit: string; by: string }): Promise<boolean> {
  const { exitCode, stderr } = await runGit({
    repository,
    arguments: ['merge-base', '--is-ancestor', commit, by],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode > 1) throw new GitError('exited', stderr)
  return exitCode === 0
}

/** Each commit again on what came before it; merges, and what the base has already, are left out. */
async function rebase(repository: string, { base, head, by, at }: PrepareMerge): Promise<PreparedMerge> {
  const most = `--max-count=${limits.rebasedCommitsMax + 1}`
  const listed = await askGit({
    repository,
    arguments: ['rev-list', '--reverse', '--topo-order', '--no-merges', '--parents', most, head, `^${base}`],
    timeoutMs: limits.gitCommandMs,
  })
  const commits = listed.split('\n').filter(Boolean)
  if (commits.length > limits.rebasedCommitsMax) return { outcome: 'too_many_commits' }
  let tip = base
  for (const line of commits) {
    const [commit = '', parent] = line.split(' ')
    if (parent === tip) {
      tip = commit
      continue
    }
    const tipTree = await treeOf(repository, tip)
    // What stands for the tip has the commit's own parent, so that only what the commit changed is taken over.
    const onto = parent ? await writeCommit(repository, { tree: tipTree, parents: [parent], by, at, message: '' }) : tip
    const merged = await mergeTrees(repository, onto, commit)
    if ('paths' in merged) return { outcome: 'conflict', paths: merged.paths }
    if (merged.tree === tipTree) continue
    const kept = await readAuthorship(repository, commit)
    tip = await writeCommit(repository, { tree: merged.tree, parents: [tip], by, at, ...kept })
  }
  return tip === base ? { outcome: 'nothing' } : { outcome: 'ready', commit: tip }
}

async function mergeTrees(
  repository: string,
  ours: string,
  theirs: string,
): Promise<{ tree: string } | { paths: string[] }> {
  const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories']
  const merge = (config: [string, string][]) =>
    runGit({ repository, arguments: [...words, ours, theirs], config, timeoutMs: limits.gitCommandMs })
  const { exitCode, stdout, stderr } = await merge([]).catch((error: unknown) => {
    if (!(error instanceof GitError) || error.reason !== 'too_much') throw error
    // To find what was renamed all of it is read, whatever size it has; without, a rename is a removal.
    return merge([['merge.renames', 'false']])
  })
  if (exitCode > 1) throw new GitError('exited', stderr)
  const [tree = '', ...paths] = stdout.toString().split('\0').filter(Boolean)
  return exitCode === 0 ? { tree } : { paths: [...new Set(paths)] }
}

async function treeOf(repository: string, commit: string): Promise<string> {
  return askGit({ repository, arguments: ['rev-parse', `${commit}^{tree}`], timeoutMs: limits.gitCommandMs })
}
