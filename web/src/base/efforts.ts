import type { AgentRun } from '@runwright/sdk'

export type Effort = NonNullable<AgentRun['effort']>

/** How much a model thinks, as people choose it. */
export const efforts: readonly (readonly [Effort, string])[] = [
  ['none', 'No thinking'],
  ['low', 'Low effort'],
  ['medium', 'Medium effort'],
  ['high', 'High effort'],
]

export const toEffort = (value: string): Effort | null => efforts.find(([name]) => name === value)?.[0] ?? null
