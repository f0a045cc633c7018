/** A command that tells whether a commit is good, by its exit code. */
export type CheckCommand = { name: string; command: string }

/** How a repository wants to be worked on. */
export type Environment = {
  /** What prepares a work tree, for `bash`; null: nothing does. */
  setupCommands: string | null
  checks: CheckCommand[]
}
