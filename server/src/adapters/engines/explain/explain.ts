import type { Answer, Engine, Turn } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { explainLog, type EndedCommand } from './explain-log.ts'

export type ExplainOptions = {
  /** Reads the stored log of the sandbox that the run explains. */
  readLog: (run: { organizationId: number; runId: number }) => Promise<EndedCommand[]>
}

type Explanation = { answer: string; summary: string }

/** Explains what went wrong in a sandbox, without a model. */
export function openExplain({ readLog }: ExplainOptions): Engine {
  return {
    name: 'explain',
    isUnlisted: true,
    availability: () => ({ available: true, reason: null }),
    needsSandbox: async () => false,
    run: (turn) => explain(turn, readLog),
  }
}

async function explain(turn: Turn, readLog: ExplainOptions['readLog']): Promise<Answer> {
  const key = `t${turn.number}/tool/explain`
  const request = { name: 'read_sandbox_log' }
  return turn.step<Explanation & JsonObject>({ key, kind: 'tool', request }, async () => {
    const commands = await readLog(turn)
    const response = explainLog(commands)
    const toolOutput = { commands: commands.length }
    const entry = { toolName: request.name, toolInput: {}, toolOutput, observation: response.summary }
    return { response, entries: [{ messageType: 'ACTION', ...entry }] }
  })
}
