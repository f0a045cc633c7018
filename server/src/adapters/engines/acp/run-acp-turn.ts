import { EngineError, type Answer, type Turn } from '#adapters/engines/engine.ts'
import type { ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import { openEdits } from './after-edits.ts'
import type { AgentSpec } from './agents/agent-spec.ts'
import { chooseAgentModel } from './choose-agent-model.ts'
import { openCounter } from './counter.ts'
import { openOwnTools } from './own-tools/own-tools.ts'
import { prepareAgent } from './prepare-agent.ts'
import { settleInterrupted } from './settle-interrupted.ts'
import { sit } from './sit.ts'

export type RunAcpTurn = {
  spec: AgentSpec
  options: ModelOptions
  /** What the agent may say in the turn. */
  outputBytesMax?: number | undefined
}

/**
 * Drives one turn by an agent in the sandbox. It works on its own, and each of its tool calls becomes a step when it begins.
 * A turn that was interrupted takes up the agent's session where the agent can, and else begins one that is told what happened.
 */
export async function runAcpTurn(turn: Turn, { spec, options, outputBytesMax }: RunAcpTurn): Promise<Answer> {
  if (turn.planApproval && !turn.sandbox.canLookOnly)
    throw new EngineError(
      'not_supported',
      `${spec.title} cannot wait for a plan's approval here: this kind of sandbox cannot keep it from changing files before. Use the built-in agent.`,
    )
  const model = await chooseAgentModel(turn, spec, options)
  const start = await prepareAgent(turn, spec, model)
  await settleInterrupted(turn, spec)
  const counter = openCounter(turn)
  const edits = openEdits(turn)
  const tools = await openOwnTools(turn)
  for (;;) {
    const answer = await sit(turn, { spec, start, counter, edits, tools, outputBytesMax })
    // A plan was approved while its agent was held to looking: it is started anew.
    if (answer) return answer
  }
}
