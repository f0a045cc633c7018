import { EngineError, type Engine, type Turn } from '#adapters/engines/engine.ts'
import { markForeign } from '#base/text/mark-foreign.ts'
import { probeLimits } from '#adapters/engines/setup/probe/findings.ts'
import type { SetupPlan } from '#adapters/engines/setup/probe/plan-setup.ts'
import type { Attempt } from './attempt.ts'
import { describeFindings, type Look } from './look-inside.ts'
import { describeAttempt } from './write-answer.ts'

type AskAgent = { look: Look; attempts: Attempt[]; words: string | null }

const shownCharactersMax = 20_000

/** Has the agent find a plan, by trying in the same sandbox; it is told what was found and what came of it. */
export async function askAgent(turn: Turn, builtin: Engine, options: AskAgent): Promise<SetupPlan & { notes: string }> {
  const prompt = writeBrief(options)
  // The conversation begins with the brief in place of what started the turn.
  const past = turn.past.map((item) =>
    item.type === 'message' && item.turn === turn.number && item.text === turn.prompt
      ? { ...item, text: prompt }
      : item,
  )
  const { answer, output } = await builtin.run({ ...turn, prompt, past, outputSchema: planSchema })
  const plan = output === undefined ? undefined : readPlan(output as PlanOutput)
  if (!plan)
    throw new EngineError('setup_not_found', `The agent did not answer with commands, but: ${answer.slice(0, 2_000)}`)
  return plan
}

/** The same, word by word, for whoever takes over: it is made of what was stored. */
function writeBrief({ look, attempts, words }: AskAgent): string {
  const { seal } = look
  const found = describeFindings(look.findings).slice(0, shownCharactersMax)
  const tried = attempts.map(describeAttempt).join('\n').slice(0, shownCharactersMax)
  return [
    'Find the shell commands that set this repository up on a fresh machine, and one command that tests it.',
    `They are run by bash at the top of a clean work tree, one after the other, as an ordinary user without root; of the network only
what is allowed here can be reached. Try them here until the installation and one test command pass. Change no file of the
repository: what you write is thrown away, and your commands are run again from a clean work tree and a clean home.`,
    ...(words === null ? [] : [`What the person who asked says:\n\n${words}`]),
    `What the repository's files say:\n${markForeign(found, { from: 'files of the repository', seal })}`,
    ...(tried ? [`What was tried:\n${markForeign(tried, { from: 'commands in the sandbox', seal })}`] : []),
    'Give finish the commands as its output; `notes` is what people should know.',
  ].join('\n\n')
}

type PlanOutput = { install: string[]; test: string | null; notes?: string }

const planSchema = {
  type: 'object',
  required: ['install', 'test'],
  properties: {
    install: { type: 'array', items: { type: 'string', pattern: '\\S' }, maxItems: probeLimits.commandsMax },
    test: { type: ['string', 'null'] },
    notes: { type: 'string' },
  },
}

/** Undefined where it is too much. */
function readPlan({ install, test, notes = '' }: PlanOutput): (SetupPlan & { notes: string }) | undefined {
  const tests = test?.trim() ? [test] : []
  const commands = [...install, ...tests]
  if (commands.join('\n').length > probeLimits.planCharactersMax || commands.length > probeLimits.commandsMax)
    return undefined
  return { install, tests, from: 'the agent', notes: notes.slice(0, shownCharactersMax) }
}
