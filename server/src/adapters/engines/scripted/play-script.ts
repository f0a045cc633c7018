import { setTimeout as delay } from 'node:timers/promises'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'
import { openSessions } from '#adapters/engines/builtin/tools/open-sessions.ts'
import { loggedOutput, nothingYet } from '#adapters/engines/builtin/tools/tool.ts'
import { EngineError, type Answer, type Outcome, type Turn } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { readScript, type ScriptStep } from './read-script.ts'

/** Plays the turn's script to its end. Every step may be done again after a crash. */
export async function playScript(turn: Turn): Promise<Answer> {
  let reply = ''
  let plan: string[] = []
  for (const [index, step] of readScript(turn).entries()) {
    for (let n = 1; n <= (step.repeat ?? 1); n++) {
      turn.signal.throwIfAborted()
      const key = `t${turn.number}/${index + 1}/${n}`
      const filled = fillIn(step, { n: String(n), reply })
      if ('ask' in filled) reply = await ask(turn, key, filled.ask)
      if ('plan' in filled) plan = filled.plan.filter((item) => typeof item === 'string')
      if ('answer' in filled || isTypedAnswer(filled)) await finishPlan(turn, key, plan)
      const answer = await playStep(turn, filled, key)
      if (answer) return answer
    }
  }
  await finishPlan(turn, `t${turn.number}/end`, plan)
  return { answer: 'The script has ended.' }
}

const isTypedAnswer = (step: ScriptStep) => 'type' in step && 'answer' in step.type

/** A script that comes to its answer has done what it planned; where it said itself how far it is, that stands. */
async function finishPlan(turn: Turn, key: string, plan: string[]): Promise<void> {
  if (!plan.length) return
  const steps = plan.map((text) => ({ text, status: 'done' }))
  const thought = 'Every step of the plan is done.'
  await turn.note(`${key}/plan`, [{ messageType: 'PLAN_EVALUATION', thought, observation: { steps } }])
}

async function playStep(turn: Turn, step: ScriptStep, key: string): Promise<Answer | null> {
  if ('answer' in step) {
    return { answer: step.answer, summary: step.answer, title: step.title ?? null, body: step.body ?? null }
  }
  if ('fail' in step) throw new EngineError(step.fail.code, step.fail.message)
  if ('error' in step) await turn.note(key, [{ messageType: 'ERROR', observation: step.error }])
  if ('think' in step) await turn.note(key, [{ messageType: 'PLAN_EVALUATION', thought: step.think }])
  if ('plan' in step) {
    const steps = step.plan.map((item) => (typeof item === 'string' ? { text: item, status: 'pending' } : item))
    const thought = `A plan of ${steps.length} steps.`
    await turn.note(key, [{ messageType: 'PLAN_EVALUATION', thought, observation: { steps } }])
  }
  if ('type' in step) return type(turn, key, step.type)
  if ('sleep_ms' in step) await sleep(turn, key, step.sleep_ms)
  if ('shell' in step) {
    const { shell: command, secrets } = step
    await callTool(turn, key, 'shell', { command, timeout_seconds: 600, ...(secrets && { secrets }) })
  }
  if ('write' in step) await callTool(turn, key, 'write', step.write)
  if ('read' in step) await callTool(turn, key, 'read', { path: step.read })
  return null
}

async function ask(turn: Turn, key: string, request: Extract<ScriptStep, { ask: unknown }>['ask']): Promise<string> {
  const { question, options = [], kind = 'question' } = request
  return turn.ask({ key, kind, text: question, options })
}

const pieceMsDefault = 30

/** Writes a text as a model does; an answer ends the turn. */
async function type(
  turn: Turn,
  key: string,
  typed: Extract<ScriptStep, { type: unknown }>['type'],
): Promise<Answer | null> {
  const kind = 'answer' in typed ? 'answer' : 'thought'
  const text = 'answer' in typed ? typed.answer : typed.thought
  await turn.step({ key, kind: 'model', request: { kind, text } }, async (signal): Promise<Outcome<null>> => {
    for (const piece of text.split(/(?<=\s)/)) {
      turn.write(kind, piece)
      await pause(typed.piece_ms ?? pieceMsDefault, signal)
    }
    return { response: null, entries: kind === 'thought' ? [{ messageType: 'PLAN_EVALUATION', thought: text }] : [] }
  })
  if (!('answer' in typed)) return null
  return { answer: text, summary: text, title: typed.title ?? null, body: typed.body ?? null }
}

async function sleep(turn: Turn, key: string, sleepMs: number): Promise<void> {
  await turn.step({ key, kind: 'tool', request: { name: 'sleep', input: { sleep_ms: sleepMs } } }, async (signal) => {
    await pause(sleepMs, signal)
    return { response: null, entries: [] }
  })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
}

async function callTool(turn: Turn, key: string, name: string, input: JsonObject): Promise<void> {
  await turn.step({ key, kind: 'tool', request: { name, input } }, async (signal): Promise<Outcome<null>> => {
    const { result, durationMs } = await runTool(
      { name, input },
      {
        sandbox: turn.sandbox,
        secrets: turn.secrets,
        signal,
        callName: key.replaceAll('/', '-'),
        canSeeImages: false,
        seen: new Map(),
        ...nothingYet,
        sessions: openSessions(),
      },
    )
    const entry = { toolName: name, toolInput: input, toolOutput: loggedOutput(result), observation: result.text }
    return { response: null, entries: [{ messageType: 'ACTION', ...entry, durationMs }] }
  })
}

/** The step with `{n}` in its texts replaced by the number of the repetition, and `{reply}` by what people answered last. */
function fillIn(step: ScriptStep, words: { n: string; reply: string }): ScriptStep {
  return JSON.parse(JSON.stringify(step), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('{n}', words.n).replaceAll('{reply}', () => words.reply) : value,
  ) as ScriptStep
}
