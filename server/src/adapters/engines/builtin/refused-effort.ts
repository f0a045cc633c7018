import { APICallError } from 'ai'
import type { Turn } from '#adapters/engines/engine.ts'
import { effortDefault, type Effort } from '#base/models/effort.ts'
import type { ChosenModel } from './choose-model.ts'

type Call = {
  turn: Turn
  chosen: Pick<ChosenModel, 'name' | 'isChat'>
  key: string
  effort?: Effort | null | undefined
}

/** For which models the effort of a turn is left out, because they have refused it. */
const effortless = new WeakMap<Turn, Set<string>>()

/** How much the model is asked to think; undefined: nothing is said of it. Servers of one's own are only told what somebody chose. */
export function effortOf({ turn, chosen, effort }: Call): Effort | undefined {
  if (effort === undefined || effortless.get(turn)?.has(chosen.name)) return undefined
  return effort ?? (chosen.isChat ? undefined : effortDefault)
}

export function mayRefuseEffort(error: unknown): boolean {
  if (!APICallError.isInstance(error) || ![400, 422, 501].includes(error.statusCode ?? 0)) return false
  return /reasoning|thinking|effort|summar/i.test(`${error.message} ${error.responseBody?.slice(0, 2_000)}`)
}

export async function forgetEffort({ turn, chosen, key }: Call): Promise<void> {
  const names = effortless.get(turn) ?? new Set()
  effortless.set(turn, names.add(chosen.name))
  const thought = `The model ${chosen.name} refuses to be told how much to think: it is asked without.`
  await turn.note(`${key}/effort`, [{ messageType: 'PLAN_EVALUATION', thought }])
}
