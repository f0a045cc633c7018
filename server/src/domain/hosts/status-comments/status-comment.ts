import type { HostSubject } from '#base/hosts/host-event.ts'
import type { RunError, RunStatus } from '#domain/runs/run.ts'

/** How a run stands that somebody has asked for on a code host, to be told there. */
export type StatusComment = {
  organizationId: number
  runId: number
  repoId: number
  on: HostSubject
  status: RunStatus
  result: string | null
  error: RunError | null
  /** It changes no files, and what it has found stands elsewhere: its answer is none for people. */
  isTask: boolean
  /** Where it was asked in threads alone, a good answer stands there. */
  isInThreads: boolean
  /** What it asks, while it waits for people. */
  question: string | null
}

/** What the job of one is about: `12 3 issue:7`. */
export function readStatusCommentRef(ref: string): { runId: number; repoId: number; subject: string } {
  const [runId, repoId, subject = ''] = ref.split(' ')
  return { runId: Number(runId), repoId: Number(repoId), subject }
}
