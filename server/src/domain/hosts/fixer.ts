import type { Mergeability } from '#base/hosts/host-facts.ts'
import type { CheckVerdict } from '#domain/hosts/checks/diagnose-check.ts'

/**
 * `paused`: a person has taken over. `gave_up`: the agent can do no more by itself. A person who sends the agent on lets
 * it go on from both.
 */
export const fixerPhases = [
  'waiting_checks',
  'detecting',
  'rerunning',
  'fixing',
  'green',
  'gave_up',
  'paused',
  'closed',
  'merged',
] as const
export type FixerPhase = (typeof fixerPhases)[number]

/** Where the agent stands that looks after a pull request. Checks by their names; times in milliseconds since 1970. */
export type FixerState = {
  phase: FixerPhase
  /** When the phase began. */
  since: number
  /** People have sent it away, until they take it back; the phase goes on as the pull request's. */
  suspended: 'banned' | 'removed' | null
  head: string
  /** Until then the checks of the head may not all be there. */
  quietUntil: number
  /** How often each check was fixed since the agent came, or was taken back. */
  attempts: Record<string, number>
  /** How each failed when it was last fixed. */
  signatures: Record<string, string>
  /** On which head each was run again to see whether it fails twice. */
  reruns: Record<string, string>
  /** Whether it was opened as a draft, and nobody has made it ready for review since. */
  isOurDraft?: boolean
  /** Turns begun to fix, in all. */
  fixes: number
  /** Whether another program has brought the head here; turns begun to fix such heads. Neither stands in older rows. */
  isHeadOfProgram?: boolean
  fixesForPrograms?: number
  /** The turn at work; its number is known once it is queued. */
  fix: { attempt: number; turn: number | null; checks: string[]; isUpdate?: boolean } | null
  /** Turns begun in a row to resolve conflicts with the base, and the head that the host was last asked to bring up to date. */
  updates?: number
  updatedFrom?: string | null
  /** Since when checks fail, all the time. */
  failingSince: number | null
  /** Why it is paused or can do no more, for people. */
  reason: string | null
}

export type SeenCheck = {
  name: string
  app: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
}
export type JudgedCheck = { name: string; app: string; verdict: CheckVerdict; signature: string }

/** Who has pushed: programs alone, such as a formatter; a person, also where nobody knows who. */
export type Pusher = 'run' | 'program' | 'person'

/** What the agent learns. `at` is when. */
export type FixerEvent = { at: number } & (
  | { type: 'pushed'; head: string; by: Pusher }
  /** All checks of the head at one moment. */
  | { type: 'checks'; head: string; checks: SeenCheck[] }
  /** How the head stands to its base. */
  | { type: 'compared'; head: string; mergeability: Mergeability }
  | { type: 'diagnosed'; head: string; checks: JudgedCheck[] }
  | { type: 'fix_begun'; attempt: number; turn: number }
  | { type: 'fix_ended'; attempt: number; pushed: string | null; isStopped: boolean; reason: string | null }
  /** A person has sent the run on. */
  | { type: 'resumed' }
  /** A person wants it to begin anew; or to stop what it is fixing. */
  | { type: 'retried' | 'stopped' }
  /** It is a draft no more. */
  | { type: 'made_ready' }
  | { type: 'banned' | 'removed' | 'unbanned' | 'closed' | 'merged' | 'reopened' }
)

/** What is done outside: asked of the host, and safe to be done twice. */
export type OutsideEffect =
  | { do: 'diagnose'; head: string; checks: string[] }
  | { do: 'update_branch'; head: string }
  | { do: 'delete_branch' }
  | { do: 'rerun'; head: string; checks: string[]; at: number }
  /** A second comment about the same takes the place of the first. */
  | { do: 'comment'; about: 'gave_up' | 'paused'; text: string }

/** What is done where the state is stored, with it or not at all. */
export type InsideEffect =
  | { do: 'start_fix'; attempt: number; checks: string[]; prompts: string[]; isUpdate?: boolean }
  | { do: 'stop_fix'; turn: number | null }
  | { do: 'look'; at: number }

export type FixerEffect = OutsideEffect | InsideEffect

/** Ours: a report of a run is no check of its work. */
export const reportPrefix = 'agent: '

/** The agent of one pull request, as it is stored. */
export type Fixer = {
  organizationId: number
  pullId: number
  repoId: number
  runId: number
  state: FixerState
  /** What it is to do outside, in order. */
  effects: OutsideEffect[]
  reported: Reported | null
}
/** By which the report of a run is found again; the run of one, null where it is none. */
export const reportKey = (runId: number): string => `run-${runId}`
export function runOfReport(key: string): number | null {
  const [, id] = /^run-(\d{1,15})$/.exec(key) ?? []
  return id === undefined ? null : Number(id)
}

/** What was last said of the run on a commit. */
export type Reported = { commit: string; status: 'in_progress' | 'completed'; conclusion: string | null; title: string }

/** The state of a row with the words of today; the version before has stored others, and may run beside this one. */
export const fixerState = (row = 'pull_agents') =>
  `replace(replace(${row}.state::text, '"tapped_out"', '"gave_up"'), '"barred":', '"suspended":')::jsonb`

export const fixerColumns = `organization_id, pull_id, repo_id, run_id, ${fixerState()} as state,
  replace(effects::text, '"tapped_out"', '"gave_up"')::jsonb as effects, reported`

export function initialState({ head, at }: { head: string; at: number }): FixerState {
  return {
    phase: 'waiting_checks',
    since: at,
    suspended: null,
    head,
    quietUntil: at,
    attempts: {},
    signatures: {},
    reruns: {},
    fixes: 0,
    fix: null,
    failingSince: null,
    reason: null,
  }
}
