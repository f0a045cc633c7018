/**
 * What a run is for, where that is not a change of files. Such a run pushes nothing and opens no pull request; its answer is
 * made into something else by `worker/tasks/`.
 */
export type RunTask =
  | { kind: 'review_pull'; pullId: number; headCommit: string }
  | { kind: 'review_commits'; branch: string; before: string | null; after: string }
  | { kind: 'find_setup' }
  | { kind: 'analyze_logs'; sandboxId: number }
