/**
 * What a run is for, where that is not a change of files. Such a run pushes nothing and opens no pull request; its answer is
 * made into something else by `worker/runs/tasks/`.
 */
export type RunTask =
  | { kind: 'review_pull'; pullId: number; headCommit: string }
  | { kind: 'review_commits'; branch: string; before: string | null; after: string }
  | { kind: 'find_setup' }
  | { kind: 'try_setup' }
  | { kind: 'analyze_logs'; sandboxId: number }

/** One that looks at what others have written: it is given no secret, and may push nothing. */
export function onlyReads(task: RunTask | null): boolean {
  return task !== null && task.kind !== 'find_setup' && task.kind !== 'try_setup'
}

/** What the work tree of such a run begins with; null: as any run's. */
export function commitOf(task: RunTask | null): string | null {
  if (task?.kind === 'review_pull') return task.headCommit
  return task?.kind === 'review_commits' ? task.after : null
}
