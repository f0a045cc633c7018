import { EngineError, type Engine, type Turn } from '#adapters/engines/engine.ts'
import { markForeign } from '#base/text/mark-foreign.ts'
import { probeLimits } from '#adapters/engines/setup/probe/findings.ts'
import type { SetupPlan } from '#adapters/engines/setup/probe/plan-setup.ts'
import type { Attempt } from './attempt.ts'
import { describeFindings, type Look } from './look-inside.ts'
import { describeAttempt } from './write-answer.ts'
import { lastFencedBlock } from '#base/text/last-fenced-block.ts'

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
  const { answer } = await builtin.run({ ...turn, prompt, past })
  const plan = readPlan(answer)
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
    'What you finish with ends with a block of JSON: {"install": ["…", …], "test": "…" or null, "notes": "what people should know"}.',
  ].join('\n\n')
}

/** The last object of JSON in an answer, if it is such a plan. */
function readPlan(answer: string): (SetupPlan & { notes: string }) | undefined {
  const block = lastFencedBlock(answer, ['```json', '```'])
  for (const text of [answer, block, answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)]) {
    const read = parse(text)
    if (!read || !Array.isArray(read['install'])) continue
    const install: unknown[] = read['install']
    const { test, notes } = read
    const tests = typeof test === 'string' && test.trim() ? [test] : []
    const commands = [...install, ...tests].filter((one) => typeof one === 'string')
    const isGood =
      commands.every((one) => one.trim() !== '') && commands.join('\n').length <= probeLimits.planCharactersMax
    if (commands.length !== install.length + tests.length || !isGood || commands.length > probeLimits.commandsMax)
      return undefined
    const remarks = typeof notes === 'string' ? notes.slice(0, shownCharactersMax) : ''
    return { install: commands.slice(0, install.length), tests, from: 'the agent', notes: remarks }
  }
  return undefined
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
