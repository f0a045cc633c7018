import type { CheckConclusion, CheckStatus } from '#base/hosts/host-facts.ts'
import type { Json } from '#base/json.ts'
import type { Effort } from '#base/models/effort.ts'
import type { RunError, RunStatus } from '#domain/runs/run.ts'

/** A command that is run over the commit of each contestant. */
export type Judge = { name: string; command: string; timeLimitMs: number | null }

/** A file that is put over the work tree of a contestant before it is judged. */
export type JudgeFile = { path: string; bytes: Uint8Array }

/** What a judge found of a contestant's commit. */
export type Verdict = {
  id: number
  runId: number
  name: string
  status: CheckStatus
  conclusion: CheckConclusion | null
  /** Null until it has ended, and where a signal or its time ended it. */
  exitCode: number | null
  durationMs: number | null
  summary: string | null
  hasLog: boolean
}

export type Contestant = {
  n: number
  name: string
  runId: number
  status: RunStatus
  statusDetail: string | null
  agentType: string
  model: string | null
  effort: Effort | null
  prompt: string
  answer: string | null
  error: RunError | null
  startedAt: Date | null
  finishedAt: Date | null
  usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number; costUsd: number | null }
  steps: number
  branch: string | null
  branchDeletedAt: Date | null
  /** What it has pushed last; null: it has changed nothing. */
  head: string | null
  /** What is judged, once it has ended. */
  commit: string | null
  /** Null: nothing was changed, or more than is counted. */
  diff: { files: number; additions: number; deletions: number } | null
  /** Checks of its commit besides the judges'. */
  checks: { passed: number; failed: number; open: number }
  pull: { id: number; number: number } | null
  verdicts: Verdict[]
}

/** One task that was given to several contestants. */
export type Comparison = {
  id: number
  organizationId: number
  userId: number
  repoId: number | null
  title: string
  prompt: string
  baseBranch: string | null
  /** Where the branches of all contestants begin; null until it is known. */
  baseCommit: string | null
  judges: Judge[]
  judgeFiles: { path: string; bytes: number }[]
  winnerRunId: number | null
  opensPull: boolean
  /** Why the winner has no pull request. */
  problem: string | null
  cancelledAt: Date | null
  createdAt: Date
  contestants: Contestant[]
}

export type ComparisonIds = { organizationId: number; comparisonId: number }

/** What the files of its judges are sealed for. */
export const judgeFilesPlace = ({ organizationId, comparisonId }: ComparisonIds): Json => [
  'judge files',
  organizationId,
  comparisonId,
]
