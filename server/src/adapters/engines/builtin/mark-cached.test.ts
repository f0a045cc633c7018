import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '#base/json.ts'
import { AnswerAwaited, WorkerLost, type TurnStore } from '#test/memory-turn.ts'
import { startModelServer, type ModelScript, type ScriptedReply } from '#test/model-server.ts'
import { byAnswers, optionsFor, play, stillOutside } from '#test/play-agent.ts'
import { MemoryTurn } from '#test/memory-turn.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { openBuiltin } from './builtin.ts'
import { takeWait } from './take-wait.ts'

const makeWorkspace = testWorkspaces()
const call = (name: string, input: JsonObject): ScriptedReply => ({ calls: [{ name, input }] })
const finish = call('finish', { summary: 'Done.' })
const claude = { wire: 'anthropic', model: 'claude-sonnet-5' }

/** All marks of a request, in the order of its prompt: tools, system, messages. */
function marksOf(body: JsonObject | undefined): string[] {
  const found: string[] = []
  const walk = (value: Json | undefined): void => {
    if (typeof value !== 'object' || value === null) return
    const mark = Array.isArray(value) ? undefined : value['cache_control']
    if (mark) found.push((mark as JsonObject)['ttl'] === '1h' ? '1h' : '5m')
    for (const part of Object.values(value)) walk(part)
  }
  for (const name of ['tools', 'system', 'messages']) walk(body?.[name])
  return found
}

test('what a model has read is kept for five minutes where nothing is waited for', async () => {
  await using sandbox = await makeWorkspace({})
  const { requests } = await play([call('shell', { command: 'true' }), finish], { sandbox, ...claude })
  assert.deepEqual(
    requests.map(({ body }) => marksOf(body)),
    [
      ['5m', '5m'],
      ['5m', '5m', '5m'],
    ],
  )
  assert.ok(!requests.some(({ text }) => text.includes('ttl')))
})

test('it is kept for an hour until a person has approved the plan', async () => {
  await using sandbox = await makeWorkspace({})
  const plan = call('plan', { steps: [{ text: 'Write b.js', status: 'pending' }] })
  const script = byAnswers([plan, plan, call('write', { path: 'b.js', content: '2\n' }), finish, finish, finish])
  const asked = { sandbox, ...claude, planApproval: true }
  const first = await play(script, { ...asked, answers: ['Name it c.js.'] })
  assert.ok(first.error instanceof AnswerAwaited)
  assert.deepEqual(
    first.requests.map(({ body }) => [...new Set(marksOf(body))]),
    [['1h'], ['1h']],
  )
  const approved = await play(script, { ...asked, store: first.turn.store, answers: ['approve'] })
  const kinds = approved.requests.map(({ body }) => marksOf(body))
  assert.ok(kinds.length > 1 && kinds.flat().every((kind) => kind === '5m'), JSON.stringify(kinds))
})

/** A turn that has run a command of so many seconds, and was lost before its next question was answered. */
async function afterCommand(seconds: number, sandbox: Awaited<ReturnType<typeof makeWorkspace>>) {
  const script = byAnswers([call('shell', { command: 'true' }), finish])
  const lost = await play(script, { sandbox, ...claude, loseWorkerAt: { key: 't1/model/2', when: 'begun' } })
  assert.ok(lost.error instanceof WorkerLost)
  const store: TurnStore = lost.turn.store
  const ran = store.steps.find(({ key }) => key === 't1/tool/1.1')?.response as { output: JsonObject }
  ran.output['seconds'] = seconds
  return async () => (await play(script, { sandbox, ...claude, store })).requests[0]
}

test('it is kept for an hour after a command of minutes, and a request that is made again is the same, byte for byte', async () => {
  await using sandbox = await makeWorkspace({})
  const goOn = await afterCommand(241, sandbox)
  const [one, other] = [await goOn(), await goOn()]
  assert.deepEqual(marksOf(one?.body), ['1h', '1h', '1h'])
  assert.equal(one?.text, other?.text)
  const short = await afterCommand(100, sandbox)
  assert.deepEqual(marksOf((await short())?.body), ['5m', '5m', '5m'])
})

test('runs that were started will be waited for, and calls of one answer count together', () => {
  const waits = (...calls: [name: string, output: JsonObject, isError?: boolean][]) => {
    const conversation = { callSeconds: 0, hasWaited: false }
    for (const [name, output, isError = false] of calls) takeWait(conversation, { name }, { text: '', output, isError })
    return conversation.hasWaited
  }
  assert.equal(waits(['start_run', { run: 8 }]), true)
  assert.equal(waits(['start_run', { error: 'no' }, true]), false)
  assert.equal(waits(['shell', { seconds: 200 }]), false)
  assert.equal(waits(['shell', { seconds: 200 }], ['session', { seconds: 900, waited_seconds: 50 }]), true)
  // A server that has been running for long was not waited for.
  assert.equal(waits(['session', { seconds: 9_000, waited_seconds: 2 }]), false)
  assert.equal(waits(['read', { seconds: 900 }], ['shell', { seconds: 'many' }]), false)
})

test('a server that does not know of the hour is asked without it, once and for the turn', async () => {
  await using sandbox = await makeWorkspace({})
  const script: ModelScript = ({ text }, number) =>
    text.includes('"ttl"')
      ? { status: 400, message: 'messages.0.cache_control.ttl: Extra inputs are not permitted' }
      : number < 4
        ? call('plan', { steps: [{ text: `Step ${number}`, status: 'pending' }] })
        : finish
  const { requests, turn } = await play(script, { sandbox, ...claude, planApproval: true, answers: ['No.'] })
  assert.deepEqual(
    requests.map(({ body }) => marksOf(body)[0]),
    ['1h', '5m', '5m'],
  )
  const notes = turn.entries.filter(({ thought }) => /refuses to keep what it has read for an hour/.test(thought ?? ''))
  assert.equal(notes.length, 1)
})

test('models of others behind that wire are not told of the hour', async () => {
  await using sandbox = await makeWorkspace({})
  const { requests } = await play([finish], {
    sandbox,
    wire: 'anthropic',
    model: 'anthropic/kimi-k2',
    planApproval: true,
  })
  assert.deepEqual(marksOf(requests[0]?.body), ['5m', '5m'])
})

for (const sends of ['stream', 'whole'] as const) {
  test(`what is kept for an hour costs twice as much as what is read once, in an answer that comes as ${sends}`, async () => {
    await using sandbox = await makeWorkspace({})
    const usage = { input: 1_000, output: 0, cacheWrite: 2_000, cacheWriteHour: 1_500 }
    await using server = await startModelServer([{ ...finish, usage, ...(sends === 'whole' && { sends }) }])
    const turn = new MemoryTurn({ sandbox, model: 'anthropic/claude-sonnet-4-5' })
    const costs: (number | null | undefined)[] = []
    const step = turn.step.bind(turn)
    turn.step = (intent, act, options) =>
      step(
        intent,
        async (signal) => {
          const outcome = await act(signal)
          if (intent.kind === 'model') costs.push(outcome.usage?.costUsd)
          return outcome
        },
        options,
      )
    await openBuiltin(optionsFor('anthropic', server), stillOutside).run(turn)
    const costUsd = (1_000 * 3 + 500 * 3.75 + 1_500 * 6) / 1_000_000
    assert.equal(costs.length, 1)
    assert.ok(Math.abs((costs[0] ?? 0) - costUsd) < 1e-9, String(costs))
  })
}
