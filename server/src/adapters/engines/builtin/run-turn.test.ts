import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Usage } from '#base/entry.ts'
import type { JsonObject } from '#base/json.ts'
import { AnswerAwaited, MemoryTurn, WorkerLost } from '#test/memory-turn.ts'
import { startModelServer, type ModelScript, type ScriptedReply } from '#test/model-server.ts'
import {
  assertEndsWith,
  byAnswers,
  messagesOf,
  optionsFor,
  pastOf,
  plain,
  play,
  stillOutside,
} from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { openBuiltin } from './builtin.ts'

const makeWorkspace = testWorkspaces()
const files = { 'a.js': 'export const a = 1\n' }
const finish: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
const call = (name: string, input: JsonObject): ScriptedReply => ({ calls: [{ name, input }] })

test('a message of a person is read before the next question', async () => {
  await using sandbox = await makeWorkspace(files)
  const messages: string[] = []
  const script: ModelScript = (_, number) => {
    if (number === 1) messages.push('Use tabs.')
    return number === 1 ? call('shell', { command: 'true' }) : finish
  }
  const { turn, requests } = await play(script, { sandbox, messages })
  assert.deepEqual(messagesOf(requests[1]?.body).at(-1), { role: 'user', content: 'Use tabs.' })
  assert.ok(
    turn.entries.some(({ messageType, observation }) => messageType === 'USER_MESSAGE' && observation === 'Use tabs.'),
  )
})

test('the rules of the organization and of the person stand beside the task', async () => {
  await using sandbox = await makeWorkspace(files)
  const rules = { organization: 'Write tests first.', person: 'Be brief.' }
  const { requests } = await play([finish], { sandbox, rules, prompt: 'Tidy up.' })
  const opening = plain(messagesOf(requests[0]?.body).find(({ role }) => role === 'user')?.['content'])
  const places = ['Tidy up.', 'Write tests first.', 'Be brief.'].map((text) => opening.indexOf(text))
  assert.ok(
    places.every((place, n) => place >= 0 && place > (places[n - 1] ?? -1)),
    opening,
  )
  const without = await play([finish], { sandbox })
  assert.ok(!JSON.stringify(without.requests[0]?.body).includes('<rules>'))
})

for (const wire of ['chat', 'responses', 'anthropic', 'google']) {
  test(`an image of the prompt is shown to the model over the ${wire} wire, and is not stored with the step`, async () => {
    await using sandbox = await makeWorkspace(files)
    const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const images = [{ sha256: 'a'.repeat(64), mediaType: 'image/png', bytes }]
    const { requests, turn } = await play([call('shell', { command: 'true' }), finish], { sandbox, wire, images })
    for (const { text } of requests) assert.ok(text.includes(bytes.toString('base64')), text)
    assert.ok(!JSON.stringify(turn.store.steps).includes(bytes.toString('base64')))
  })
}

test('whoever goes on with a turn knows what people answered, and that they approved', async () => {
  await using sandbox = await makeWorkspace(files)
  const plan = call('plan', { steps: [{ text: 'Write b.js', status: 'pending' }] })
  const write = call('write', { path: 'b.js', content: '2\n' })
  const script = [
    plan,
    call('ask_user', { question: 'Which name?' }),
    write,
    call('shell', { command: 'true' }),
    finish,
  ]
  const asked = { sandbox, planApproval: true }
  const first = await play(byAnswers(script), { ...asked, answers: ['approve'] })
  assert.ok(first.error instanceof AnswerAwaited)
  const store = first.turn.store
  const lost = await play(byAnswers(script), {
    ...asked,
    store,
    answers: ['b.js'],
    loseWorkerAt: { key: 't1/model/3', when: 'begun' },
  })
  assert.ok(lost.error instanceof WorkerLost)
  const { answer, turn, requests } = await play(byAnswers(script), { ...asked, store: lost.turn.store })
  assert.equal(answer?.answer, 'Done.')
  assert.equal(requests.length, 3)
  assert.deepEqual(turn.asked, [])
  assert.match(requests[0]?.text ?? '', /Your plan is approved[\s\S]*b\.js/)
  assert.equal(turn.entries.find(({ toolName }) => toolName === 'write')?.toolOutput?.['error'], undefined)
})

test('another model is asked as soon as the run names it', async () => {
  await using sandbox = await makeWorkspace(files)
  await using server = await startModelServer((_, number) => {
    if (number === 1) turn.model = 'other-1'
    return number === 1 ? call('shell', { command: 'true' }) : finish
  })
  const turn = new MemoryTurn({ sandbox, model: 'first-1' })
  await openBuiltin(optionsFor('chat', server), stillOutside).run(turn)
  assert.deepEqual(
    server.requests.map(({ body }) => body['model']),
    ['first-1', 'other-1'],
  )
})

test('usage and cost are counted, also what was read from the cache', async () => {
  await using sandbox = await makeWorkspace({})
  const usage = { input: 1_000, output: 100, cacheRead: 10_000, cacheWrite: 2_000 }
  await using server = await startModelServer([{ ...finish, usage }])
  const counted: Usage[] = []
  const turn = new MemoryTurn({ sandbox, model: 'anthropic/claude-sonnet-4-5' })
  const step = turn.step.bind(turn)
  turn.step = (intent, act, options) =>
    step(
      intent,
      async (signal) => {
        const outcome = await act(signal)
        if (outcome.usage) counted.push(outcome.usage)
        return outcome
      },
      options,
    )
  await openBuiltin(optionsFor('anthropic', server), stillOutside).run(turn)
  // 3 USD and 15 USD for a million tokens in and out; a tenth for reading the cache, a quarter more for writing it.
  const costUsd = (1_000 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 100 * 15) / 1_000_000
  const counts = { inputTokens: 13_000, cacheReadTokens: 10_000, cacheWriteTokens: 2_000, outputTokens: 100 }
  assert.partialDeepStrictEqual(counted, [{ model: 'anthropic/claude-sonnet-4-5', ...counts }])
  assert.ok(Math.abs((counted[0]?.costUsd ?? 0) - costUsd) < 1e-9)
})

test('calls that no tool can take are answered, and end it after three in a row', async () => {
  await using sandbox = await makeWorkspace({})
  const bad: ScriptedReply = { calls: [{ name: 'read', rawInput: '{"path": ' }] }
  const unknown = call('browse', { url: 'https://example.org' })
  const wrong = call('read', { path: 7 })
  const { error, turn, requests } = await play([bad, unknown, wrong], { sandbox })
  assertEndsWith(error, 'stuck', /3 answers in a row/)
  assert.deepEqual(
    turn.entries.map(({ messageType, toolName }) => [messageType, toolName]),
    [
      ['ERROR', 'read'],
      ['ERROR', 'browse'],
      ['ERROR', 'read'],
    ],
  )
  assert.match(JSON.stringify(messagesOf(requests[1]?.body)), /The arguments of read are not valid JSON/)
})

test('going round in circles is warned about once, and then ends it', async () => {
  await using sandbox = await makeWorkspace({})
  const { error, turn, requests } = await play(() => call('shell', { command: 'echo same' }), { sandbox })
  assertEndsWith(error, 'stuck', /the same call gave the same result 4 times/)
  assert.equal(requests.length, 8)
  assert.match(plain(messagesOf(requests[4]?.body).at(-1)?.['content']), /You seem to be stuck/)
  assert.equal(turn.entries.filter(({ thought }) => thought?.startsWith('The agent was told')).length, 1)
})

test('too many steps end it', async () => {
  await using sandbox = await makeWorkspace({})
  const script: ModelScript = (_, number) => call('shell', { command: `echo ${number}` })
  const { error } = await play(script, { sandbox, options: { stepsMax: 5 } })
  assertEndsWith(error, 'max_steps_reached', /5 times/)
})

test('an answer that is cut off is asked for in parts, twice', async () => {
  await using sandbox = await makeWorkspace({})
  const cut: ScriptedReply = { end: 'cut_off', calls: [{ name: 'write', rawInput: '{"path": "a", "content": "aaa' }] }
  const { answer, requests } = await play([cut, cut, finish], { sandbox })
  assert.equal(answer?.answer, 'Done.')
  assert.match(plain(messagesOf(requests[1]?.body).at(-1)?.['content']), /write a long file in parts/)
  const { error } = await play([cut, cut, cut], { sandbox })
  assertEndsWith(error, 'model_error', /output limit/)
})

test('a refusal is asked about once more', async () => {
  await using sandbox = await makeWorkspace({})
  const refusal: ScriptedReply = { end: 'refused', text: 'I must not.' }
  const { answer } = await play([refusal, finish], { sandbox })
  assert.equal(answer?.answer, 'Done.')
  for (const wire of ['anthropic', 'chat']) {
    const { error } = await play([refusal, refusal], { sandbox, wire })
    assertEndsWith(error, 'refused', /I must not\./)
  }
})

test('a stop ends it in the middle of a command', async () => {
  await using sandbox = await makeWorkspace({})
  const stop = new AbortController()
  const script: ModelScript = () => {
    setTimeout(() => stop.abort(new Error('stopped by ada')), 50)
    return call('shell', { command: 'sleep 60' })
  }
  const { error, turn } = await play(script, { sandbox, signal: stop.signal })
  assert.equal(error?.message, 'stopped by ada')
  assert.deepEqual(turn.entries, [])
})

test('another model is not shown the reasoning of the one before', async () => {
  await using sandbox = await makeWorkspace(files)
  const first: ScriptedReply = { reasoning: 'Deep thoughts.', calls: [{ name: 'shell', input: { command: 'true' } }] }
  const before = await play([first, finish], { sandbox, wire: 'anthropic', model: 'claude-opus-5' })
  assert.match(before.requests[1]?.text ?? '', /Deep thoughts.*signed-1/)
  const past = pastOf(before.turn, 'Done.')
  const after = await play([finish], {
    sandbox,
    wire: 'anthropic',
    model: 'claude-sonnet-5',
    number: 2,
    prompt: 'More.',
    past,
  })
  assert.equal(after.answer?.answer, 'Done.')
  assert.doesNotMatch(after.requests[0]?.text ?? '', /Deep thoughts|signed-1/)
})
