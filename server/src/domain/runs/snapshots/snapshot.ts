/** Why there is none: what the last command said, or what stands against keeping what it left. */
export type SnapshotProblem = { message: string; command?: string; exitCode?: number | null; output?: string }

/** What the setup of a repository has left, on one machine, for the work trees there to start from. */
export type Snapshot = {
  organizationId: number
  repoId: number
  n: number
  /** The folder of the machine where it lies. */
  place: string
  /**
   * `making`; `ready`; `unfit`: it cannot be kept, so each work tree is set up by itself; `failed`: the commands fail, which
   * counts for a while.
   */
  state: 'making' | 'ready' | 'unfit' | 'failed'
  /** In whose work tree the commands were run. */
  baseCommit: string
  bytes: number | null
  /** How long the commands have taken. */
  durationMs: number | null
  problem: SnapshotProblem | null
  createdAt: Date
  usedAt: Date
}

export type SnapshotIds = Pick<Snapshot, 'organizationId' | 'repoId' | 'n'>

/** What a statement selects to get a `Snapshot`. */
export const snapshotColumns = `organization_id, repo_id, n, place, state,
  base_commit, bytes, duration_ms, problem, created_at, used_at`

/** Where its files lie, below the folder of snapshots. */
export function snapshotFolderName({ organizationId, repoId, n }: SnapshotIds): string {
  return `${organizationId}-${repoId}-${n}`
}
