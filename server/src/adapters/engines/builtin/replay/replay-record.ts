import { EngineError } from '#adapters/engines/engine.ts'
import { chooseModel } from '#adapters/engines/builtin/choose-model.ts'
import { systemClockAndChance } from '#adapters/engines/builtin/clock-and-chance.ts'
import { describeBasis } from '#adapters/engines/builtin/describe-basis.ts'
import type { ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import { runTurn, wordsOfLost } from '#adapters/engines/builtin/run-turn.ts'
import type { Json } from '#base/json.ts'
import { Secret } from '#base/secrets/secret.ts'
import { findDifference } from './find-difference.ts'
import { RecordRefused, type RunRecord } from './read-record.ts'
import { Differs, RecordEnds, ReplayTurn, wordsOf } from './replay-turn.ts'

export type Replayed = {
  turns: number
  steps: number
  /** In words; null: all is as it was. */ difference: string | null
}

/**
 * Drives today's built-in engine with what models and tools answered then, without a network or a sandbox, up to the
 * first step in which it asks for something else. Throws `RecordRefused` for what it cannot drive.
 */
export async function replayRecord(record: RunRecord): Promise<Replayed> {
  if (record.head.agentType !== 'builtin')
    throw new RecordRefused(`Only runs of builtin can be replayed; this one is of ${record.head.agentType}.`)
  const numbers = [...new Set(record.steps.filter(({ kind }) => kind === 'model').map(({ turn }) => turn))]
  let steps = 0
  for (const number of numbers) {
    const turn = new ReplayTurn(record, number)
    const difference = await replayTurn(turn)
    steps += turn.compared
    if (difference !== null) return { turns: numbers.length, steps, difference }
  }
  return { turns: numbers.length, steps, difference: null }
}

async function replayTurn(turn: ReplayTurn): Promise<string | null> {
  const key = { apiKey: new Secret('replay'), baseUrl: undefined }
  const contextTokens = turn.basis?.contextTokens
  const options: ModelOptions = {
    anthropic: key,
    openai: { ...key, wire: 'chat' },
    google: key,
    ...(contextTokens && { contextTokens }),
  }
  const { models } = await turn.readSettings()
  const chosen = await chooseModel(options, models[0] ?? null, turn.signal)
  if (turn.basis) {
    const now = describeBasis(turn, chosen, turn.hasTests) as unknown as Json
    const difference = findDifference(turn.basis, now)
    if (difference) return wordsOf(`What turn ${turn.number} tells models first, ${difference.path}`, difference)
  }
  const { seal } = turn
  const outside = { ...systemClockAndChance, ...(seal !== undefined && { generateSeal: () => seal }) }
  try {
    await runTurn(turn, { options, outside, isLost: (id) => turn.isToldOf(wordsOfLost(id)) })
  } catch (error) {
    if (error instanceof Differs) return error.message
    if (!(error instanceof RecordEnds) && !(error instanceof EngineError)) throw error
  }
  const [next] = turn.left
  return next ? `Turn ${turn.number} ends now, where step ${next.key} came then.` : null
}
