import type { AgentRunLog } from '@runwright/sdk'
import { textOf } from './text-of.ts'

export type PlanStep = { text: string; status: 'pending' | 'in_progress' | 'completed' | 'dropped' }

/** The steps of a plan that an entry tells of; null where it tells of none. */
export function readPlan({ observation }: Pick<AgentRunLog, 'observation'>): PlanStep[] | null {
  const steps = typeof observation === 'object' && observation !== null ? observation['steps'] : undefined
  if (!Array.isArray(steps)) return null
  return steps.map((step: unknown) => {
    const { text, status } = (typeof step === 'object' && step !== null ? step : { text: step }) as Record<
      string,
      unknown
    >
    return { text: textOf(text), status: statusOf(status) }
  })
}

function statusOf(word: unknown): PlanStep['status'] {
  if (word === 'done' || word === 'completed') return 'completed'
  if (word === 'in_progress' || word === 'active') return 'in_progress'
  return word === 'dropped' || word === 'cancelled' ? 'dropped' : 'pending'
}
