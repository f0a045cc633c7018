import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import { effortDefault, type Effort } from '#base/models/effort.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn } from '#test/memory-turn.ts'
import { startModelServer, type ModelScript } from '#test/model-server.ts'
import { optionsFor, stillOutside } from '#test/play-agent.ts'
import { callModel } from './call-model.ts'
import { chooseModel } from './choose-model.ts'
import type { ModelAnswer } from './conversation.ts'

// The library prints what it leaves out for a model.
globalThis.AI_SDK_LOG_WARNINGS = false

type Asked = { wire: string; model: string; effort?: Effort | null; budget?: number; times?: number }

async function ask(script: ModelScript, { wire, model, effort, budget, times = 1 }: Asked) {
  await using server = await startModelServer(script)
  const options = optionsFor(wire, server, { defaultModels: [model] })
  const turn = new MemoryTurn({ sandbox: {} as Sandbox })
  if (budget !== undefined) turn.takeMoney = async () => budget
  const chosen = await chooseModel(options, null, turn.signal)
  const messages = [{ role: 'user' as const, content: 'Hello?' }]
  const call = {
    turn,
    options,
    chosen,
    outside: stillOutside,
    key: 't1/model/1',
    system: '',
    messages,
    withTools: true,
  }
  let answer: ModelAnswer | undefined
  for (let n = 0; n < times; n++)
    ({ answer } = await callModel({ ...call, ...(effort !== undefined && { effort }) }, turn.signal))
  return { answer, bodies: server.requests.map(({ body }) => body), turn }
}

const hello: ModelScript = () => ({ text: 'Hello.' })
/** What a request says of thinking, however its provider calls it. */
function thinkingOf(body: JsonObject | undefined): unknown {
  const { thinking, output_config, reasoning, reasoning_effort, generationConfig } = body ?? {}
  return (
    thinking ?? output_config ?? reasoning ?? reasoning_effort ?? (generationConfig as JsonObject)?.['thinkingConfig']
  )
}

const models: [wire: string, model: string, of: (effort: Effort) => RegExp][] = [
  ['anthropic', 'claude-sonnet-5', (effort) => new RegExp(`"effort":"${effort}"`)],
  ['chat', 'some-model', (effort) => new RegExp(`"reasoning_effort":"${effort}"`)],
  ['responses', 'gpt-5.6', (effort) => new RegExp(`"reasoning":{"effort":"${effort}"`)],
  ['google', 'gemini-3.8-flash', (effort) => new RegExp(`"thinkingLevel":"${effort}"`)],
]
for (const [wire, model, of] of models) {
  test(`${model} is told how much to think over the ${wire} wire`, async () => {
    for (const effort of ['low', 'medium', 'high'] as const) {
      const { bodies } = await ask(hello, { wire, model, effort })
      assert.match(JSON.stringify(bodies[0]), of(effort))
    }
  })

  test(`${model} thinks over the ${wire} wire where nobody has chosen how much, unless its server is one's own`, async () => {
    const { bodies } = await ask(hello, { wire, model, effort: null })
    if (wire === 'chat') assert.equal(thinkingOf(bodies[0]), undefined)
    else assert.match(JSON.stringify(bodies[0]), of(effortDefault))
    const plain = await ask(hello, { wire, model })
    assert.equal(thinkingOf(plain.bodies[0]), undefined, 'what is no question of a turn says nothing')
  })

  test(`a model that refuses to be told over the ${wire} wire is asked without, in this turn`, async () => {
    const script: ModelScript = ({ body }) =>
      thinkingOf(body) === undefined
        ? { text: 'Hello.' }
        : { status: 400, message: 'Unsupported parameter: reasoning effort is not supported with this model.' }
    const { answer, bodies, turn } = await ask(script, { wire, model, effort: 'high', times: 2 })
    assert.equal(answer?.text, 'Hello.')
    assert.equal(bodies.length, 3)
    assert.match(turn.entries.at(-1)?.thought ?? '', /refuses to be told how much to think: it is asked without/)
  })
}

test('no thinking is asked for by name', async () => {
  const { bodies } = await ask(hello, { wire: 'anthropic', model: 'claude-sonnet-4-5', effort: 'none' })
  assert.deepEqual(bodies[0]?.['thinking'], { type: 'disabled' })
})

test('an answer may be as long as its model writes, and no longer than the money that is left', async () => {
  const most = async (model: string, budget?: number) =>
    (await ask(hello, { wire: 'anthropic', model, effort: null, ...(budget !== undefined && { budget }) })).bodies[0]
  assert.equal((await most('claude-opus-5'))?.['max_tokens'], 32_000)
  assert.equal((await most('claude-3-haiku-20240307'))?.['max_tokens'], 4_096)
  const older = await most('claude-sonnet-4-5')
  assert.ok(Number(older?.['max_tokens']) > 32_000, 'what it thinks comes on top')
  const poor = await most('claude-sonnet-4-5', 900)
  assert.equal(poor?.['max_tokens'], 900)
  assert.equal(poor['thinking'], undefined)
})
