/** A run's work tree after a step, as a git pack in the blob store. */
export type Checkpoint = {
  n: number
  turn: number
  /** The last step that it includes. */
  step: number
  /** When that step was done; the checkpoint reflects everything outside up to then. */
  stepDoneAt: Date
  /** A commit of the whole work tree; its parent, if any, is the head of the agent's own branch. */
  commit: string
  /** Commits of the code host that the pack builds on. */
  baseCommits: string[]
  /** Where the run's branch was on the host when the turn began. */
  branchCommit: string | null
  sha256: string
  bytes: number
}
