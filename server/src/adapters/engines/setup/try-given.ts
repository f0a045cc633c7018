import { EngineError, type Answer, type Turn } from '#adapters/engines/engine.ts'
import type { Json } from '#base/json.ts'
import { isWhole, tryPlan } from './attempt.ts'
import { lookInside } from './look-inside.ts'
import { describeAttempt, tableOf } from './write-answer.ts'

export type Given = { commands: string; test: string | null }

/** The commands that somebody wants to see tried; undefined where commands are to be found. */
export function readGiven({ metadata }: Pick<Turn, 'metadata'>): Given | undefined {
  const asked = metadata?.['try_setup'] as Record<string, Json> | undefined
  if (typeof asked?.['commands'] !== 'string') return undefined
  const test = asked['test_command']
  return { commands: asked['commands'], test: typeof test === 'string' ? test : null }
}

/** Runs what somebody has written as setup commands, from a clean work tree. Throws `setup_failed` where it does not pass. */
export async function tryGiven(turn: Turn, { commands, test }: Given): Promise<Answer> {
  const look = await lookInside(turn)
  const plan = { install: [commands], tests: test === null ? [] : [test], from: 'the request' }
  const attempt = await tryPlan(turn, { plan, look, key: 'given' })
  const isPassed = test === null ? attempt.isInstalled : isWhole(attempt)
  if (!isPassed) throw new EngineError('setup_failed', describeAttempt(attempt))
  const what = test === null ? 'The setup commands pass' : 'The setup commands and the test pass'
  const table = tableOf([...attempt.install, ...attempt.tests])
  return { answer: `${what} from a clean work tree.\n\n${table}`, summary: `${what}.` }
}
