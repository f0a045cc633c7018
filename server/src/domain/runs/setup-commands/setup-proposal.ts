export const setupStates = ['proposed', 'accepted', 'superseded'] as const
export type SetupState = (typeof setupStates)[number]

/** What one command did, from a clean work tree. */
export type SetupEvidence = {
  command: string
  /** Null when it was ended. */
  exit_code: number | null
  duration_ms: number
  /** The end of what it printed. */
  tail: string
}

/** How a repository is set up and tried, as a run has found it. */
export type SetupProposal = {
  organizationId: number
  repoId: number
  /** Of the repository. */
  n: number
  runId: number
  state: SetupState
  commands: string[]
  /** Null: nothing was found that passes. */
  testCommand: string | null
  notes: string
  evidence: SetupEvidence[]
  baseCommit: string | null
  /** Digests of the files on which the installation depends, by path, at that commit. */
  lockfiles: Record<string, string>
  createdAt: Date
  acceptedAt: Date | null
  acceptedBy: number | null
  /** Since when those files are others at the default branch. */
  outdatedAt: Date | null
}

/** What a statement selects to get a `SetupProposal`. */
export const setupProposalColumns = `organization_id, repo_id, n, run_id, state, commands,
  test_command, notes, evidence, base_commit, lockfiles, created_at,
  accepted_at, accepted_by, outdated_at`

/** What would change the shell for those that follow. */
const changesShell =
  /(?:^|[\s;&|(])(?:cd|pushd|popd|export|set|unset|source|\.|exec|exit|trap|umask|alias|shopt)(?:\s|$)/

/** As the commands stand with the repository, each a line. They were tried each in a shell of its own, and so they are run. */
export function scriptOf(commands: readonly string[]): string {
  return commands.map((command) => (changesShell.test(command) ? `(\n${command}\n)` : command)).join('\n')
}
