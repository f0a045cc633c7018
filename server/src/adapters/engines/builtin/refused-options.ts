import { APICallError } from 'ai'
import type { Turn } from '#adapters/engines/engine.ts'
import { effortDefault, type Effort } from '#base/models/effort.ts'
import { providers } from '#base/models/model-providers.ts'
import type { ChosenModel } from './choose-model.ts'

type Call = {
  turn: Turn
  chosen: Pick<ChosenModel, 'provider' | 'id' | 'name' | 'isChat'>
  key: string
  effort?: Effort | null
  isKeptAnHour?: boolean
}

/** What requests may ask of a model besides an answer, and what the log says where it refuses that. */
const options = {
  effort: {
    names: /reasoning|thinking|effort|summar/i,
    words: 'refuses to be told how much to think: it is asked without',
  },
  hour: {
    names: /\bttl\b|cache_control/i,
    words: 'refuses to keep what it has read for an hour: it is asked to keep it for five minutes',
  },
}
type Option = keyof typeof options

/** What is left out of a turn's requests to which models, because they have refused it. */
const refused = new WeakMap<Turn, Set<string>>()

const hasRefused = ({ turn, chosen }: Call, option: Option) => refused.get(turn)?.has(`${option} ${chosen.name}`)

export const isClaude = (id: string) => providers.anthropic.names.test(id)

/** How much the model is asked to think; undefined: nothing is said of it. Servers of one's own are only told what somebody chose. */
export function effortOf(call: Call): Effort | undefined {
  const { chosen, effort } = call
  if (effort === undefined || hasRefused(call, 'effort')) return undefined
  return effort ?? (chosen.isChat ? undefined : effortDefault)
}

/** Other models behind this wire may not know of it. */
export function keptAnHour(call: Call): boolean {
  const { provider, id } = call.chosen
  return call.isKeptAnHour === true && provider === 'anthropic' && isClaude(id) && !hasRefused(call, 'hour')
}

/** The option that a model may have refused, of those that it was asked for. */
export function findRefusedOption(call: Call, error: unknown): Option | null {
  if (!APICallError.isInstance(error) || ![400, 422, 501].includes(error.statusCode ?? 0)) return null
  const words = `${error.message} ${error.responseBody?.slice(0, 2_000)}`
  if (effortOf(call) !== undefined && options.effort.names.test(words)) return 'effort'
  return keptAnHour(call) && options.hour.names.test(words) ? 'hour' : null
}

/** Asks this model without it for the rest of the turn, and says so in the log. */
export async function forgetOption({ turn, chosen, key }: Call, option: Option): Promise<void> {
  const names = refused.get(turn) ?? new Set()
  refused.set(turn, names.add(`${option} ${chosen.name}`))
  const thought = `The model ${chosen.name} ${options[option].words}.`
  await turn.note(`${key}/${option}`, [{ messageType: 'PLAN_EVALUATION', thought }])
}
