import type { Hooks } from '#base/hooks.ts'
import type { Egress } from '#domain/repos/egress/egress.ts'

/** Where a repository says itself how it is worked on; read from its base branch, never from a branch that agents write. */
export const environmentPath = '.runwright.yml'

/** A command that tells whether a commit is good, by its exit code. */
export type CheckCommand = {
  name: string
  command: string
  /** The folder in which it is run, and without a change in which it is not. */
  path?: string
}

/** What of an agent's work needs a person; undefined: that is not limited. */
export type PushPolicy = {
  /** Patterns of paths that only people change. */
  needsPerson: string[]
  /** Of all files that are changed, together, and their number. */
  bytesMax?: number
  filesMax?: number
}

/** What the file says. What it does not name, it leaves to the repository's settings. */
export type EnvironmentFile = {
  setupCommands?: string[]
  checks?: CheckCommand[]
  egress?: Egress
  hooks?: Hooks
  push?: PushPolicy
}

/** What is wrong with the file, and where. */
export type Problem = { line: number; message: string }

/** How a repository wants to be worked on. */
export type Environment = {
  /** What prepares a work tree: each for a `bash` of its own, one after the other. */
  setupCommands: string[]
  checks: CheckCommand[]
  /** What the file would have its sandboxes reach besides; it counts where that is allowed. */
  egress: Egress
  push: PushPolicy | null
  hooks: Hooks
  /** With any, no hook counts. They are no reason to stop. */
  hookProblems: Problem[]
  /** Nothing of a file with problems counts. */
  problems: Problem[]
}

/** As people read it: `.runwright.yml, line 3: …`. */
export function problemText({ line, message }: Problem): string {
  return `${environmentPath}, line ${line}: ${message}`
}
