import { EngineError, type Answer, type Engine, type Turn } from '#adapters/engines/engine.ts'
import { planSetup } from '#adapters/engines/setup/probe/plan-setup.ts'
import { askAgent } from './ask-agent.ts'
import { bestOf, isWhole, tryPlan, type Attempt } from './attempt.ts'
import { lookInside } from './look-inside.ts'
import { readGiven, tryGiven } from './try-given.ts'
import { describeAttempt, writeAnswer } from './write-answer.ts'

/** Tries the commands that are given, or finds some. */
export async function runSetup(turn: Turn, builtin: Engine): Promise<Answer> {
  const options = readGiven(turn)
  return options ? tryGiven(turn, options) : findSetup(turn, builtin)
}

async function findSetup(turn: Turn, builtin: Engine): Promise<Answer> {
  const look = await lookInside(turn)
  const attempts: Attempt[] = []
  for (const [index, plan] of planSetup(look).entries()) {
    if (addsToFailed(plan.install, attempts)) continue
    attempts.push(await tryPlan(turn, { plan, look, key: String(index + 1) }))
    if (isWhole(attempts.at(-1)!)) break
  }
  const best = bestOf(attempts)
  const words = wordsOf(turn)
  const { providers } = await turn.readSettings()
  const { available, reason } = builtin.availability((providers?.items.length ?? 0) > 0)
  if (available && (words !== null || !best || !isWhole(best))) {
    const plan = await askAgent(turn, builtin, { look, attempts, words })
    const verified = await tryPlan(turn, { plan, look, key: 'verify' })
    if (isWhole(verified) || (verified.isInstalled && plan.tests.length === 0))
      return writeAnswer(look, verified, plan.notes)
    if (!best) throw notFound([...attempts, verified], null)
    return writeAnswer(look, best, `What the agent proposed did not pass: ${describeAttempt(verified)}`)
  }
  if (!best) throw notFound(attempts, reason)
  const unread = words === null ? '' : 'What was said in the prompt was not read: that needs a model.'
  return writeAnswer(look, best, unread)
}

/** What begins with commands that have failed already fails again. */
function addsToFailed(install: string[], attempts: Attempt[]): boolean {
  return attempts.some(({ plan, isInstalled }) => !isInstalled && plan.install.every((one, at) => one === install[at]))
}

/** What a person has said about it; null: the prompt is ours. */
function wordsOf({ number, prompt, metadata }: Turn): string | null {
  return number > 1 || metadata?.['has_prompt'] === true ? prompt : null
}

function notFound(attempts: Attempt[], whyNoModel: string | null): EngineError {
  const tried = attempts.map((attempt) => `\n- ${describeAttempt(attempt)}`).join('')
  const what = tried
    ? `None of the commands that were tried passes:${tried}`
    : 'The repository’s files say nothing of how it is set up: no manifest, no CI, no instructions.'
  const advice = whyNoModel
    ? `Set the commands by hand, or configure a model for such repositories (${whyNoModel}).`
    : 'Set the commands by hand, or say in the prompt what the agent should know.'
  return new EngineError('setup_not_found', `${what}\n${advice}`)
}
