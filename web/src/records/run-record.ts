import type { AgentRunLog } from '@runwright/sdk'

/** Larger ones are for `npm run replay`, which has a whole machine. */
export const recordLimits = {
  packedBytes: 64 * 2 ** 20,
  bytes: 256 * 2 ** 20,
  lineBytes: 16 * 2 ** 20,
  lines: 250_000,
}

export type RecordLimits = typeof recordLimits

export type RecordHead = {
  runId: number | null
  agentType: string
  repository: string | null
  branch: string | null
  recordedAt: string | null
}

export type StepKind = 'model' | 'tool' | 'ask' | 'note' | 'entry'

/** What is known of a step before somebody looks at it. Its lines are parsed when it is shown: strangers may have written anything. */
export type RecordStep = {
  /** From 1, as the page counts them. */
  n: number
  kind: StepKind
  turn: number
  title: string
  at: number | null
  isFailure: boolean
  line: Uint8Array | null
  entry: Uint8Array | null
}

export type RunRecord = { head: RecordHead; steps: readonly RecordStep[]; startedAt: number | null }

export type ShownCall = { name: string; input: Record<string, unknown> | null }

/** One step, as it is shown. */
export type StepContent = {
  model: string | null
  /** The instructions; with the first request of a turn. */
  system: string | null
  /** What the model was told besides the results of its calls. */
  messages: readonly string[]
  thought: string | null
  text: string | null
  calls: readonly ShownCall[]
  /** Why an answer came to no good end. */
  end: string | null
  inputTokens: number | null
  outputTokens: number | null
  /** What a tool was called with. */
  call: ShownCall | null
  /** What the model read of its result. */
  result: string | null
  question: string | null
  reply: string | null
  entry: AgentRunLog | null
  /** What none of these tells. */
  rest: unknown
}

/** Why a file is no record that can be shown; in words for people. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused'
}
