import { createHash } from 'node:crypto'
import type { Turn } from '#adapters/engines/engine.ts'
import { z } from 'zod'
import { noHooks, type Hooks } from '#base/hooks.ts'
import { systemPrompt } from './system-prompt.ts'
import { offerTools } from './tools/all-tools.ts'

/** What every request of a turn begins with, and what else its course depends on: for whoever replays it. */
export type Basis = {
  system: string
  /** A digest: they are long, and the same for all turns of a version. */
  tools: string
  mayStartRuns: boolean
  /** Left out where there are none that tools can run. */
  hasTests?: true
  contextTokens: number
  secrets: { name: string; isEverywhere: boolean }[]
  hooks: Hooks
}

/** What is stored with a request for whoever replays it. */
export type Sent = {
  /** With the first of a turn. */
  basis?: Basis
  /** A digest of all messages that were sent. */
  sent?: string
}

export function describeBasis(turn: Turn, model: { id: string; contextTokens: number }, hasTests: boolean): Basis {
  return {
    system: systemPrompt(turn),
    tools: digestOf(offerTools(turn, model, hasTests).map(describeTool)),
    mayStartRuns: turn.children !== undefined,
    ...(hasTests && { hasTests }),
    contextTokens: model.contextTokens,
    secrets: [...turn.secrets],
    hooks: turn.hooks ?? noHooks,
  }
}

function describeTool({ schema, ...tool }: ReturnType<typeof offerTools>[number]) {
  return { ...tool, schema: schema instanceof z.ZodType ? z.toJSONSchema(schema, { io: 'input' }) : schema }
}

export const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
