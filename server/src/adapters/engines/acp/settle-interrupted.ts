import type { Entry, PastStep, Turn } from '#adapters/engines/engine.ts'
import type { AgentSpec } from './agents/agent-spec.ts'
import { boundObject } from './bound-json.ts'
import { toolOf } from './compose-prompt.ts'

/** A tool that was at work when a worker was lost: nobody knows how far it came, and the agent itself looks. */
export async function settleInterrupted(turn: Turn, spec: Pick<AgentSpec, 'title'>): Promise<void> {
  const open = turn.past.flatMap((item) =>
    item.type === 'step' && item.turn === turn.number && isForgotten(item.step) ? [item.step] : [],
  )
  for (const { key, request } of open) {
    const tool = toolOf(request)
    const observation = `${spec.title} was interrupted while it used this tool. How far it came is not known.`
    const entry: Entry = {
      messageType: 'ACTION',
      toolName: tool,
      toolInput: boundObject(request['input']),
      observation,
    }
    const outcome = { response: { seen: observation }, entries: [entry] }
    await turn.step({ key, kind: 'tool', request }, async () => outcome, { interrupted: () => outcome })
  }
}

/** Begun, and nothing that is done again by its key: tools of the agent, without their hooks, and commands by which its claims were looked at. */
const isForgotten = ({ key, kind, response }: PastStep) =>
  kind === 'tool' && response === undefined && /^t\d+\/(?:agent\/\d+$|tool\/[1-9])/.test(key)
