import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelScript, ScriptedReply } from '#test/model-server.ts'
import { assertEndsWith, play } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const finish: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
const models = ['openai/first', 'openai/second', 'openai/third']

/** What each model replies, request after request. */
function byModel(replies: Record<string, ScriptedReply[]>): ModelScript {
  return ({ body }) => replies[body['model'] as string]?.shift() ?? { status: 400, message: 'not scripted' }
}
const askedOf = (requests: { body: Record<string, unknown> }[]) => requests.map(({ body }) => body['model'])

const faults: [string, ScriptedReply, number][] = [
  ['a key that is refused', { status: 401, message: 'bad key' }, 1],
  ['an account without credit', { status: 402, message: 'no credit' }, 1],
  ['a model that is not there', { status: 404, message: 'no such model' }, 1],
  ['a server that stays overloaded', { status: 529 }, 5],
  ['what is no model', { fault: 'html' }, 2],
]
for (const [what, reply, tries] of faults) {
  test(`${what}: the next model goes on, and stays`, async () => {
    await using sandbox = await makeWorkspace({})
    const script = byModel({
      first: Array.from({ length: 10 }, () => reply),
      second: [{ calls: [{ name: 'shell', input: { command: 'echo hello' } }] }, finish],
    })
    const { answer, requests, turn } = await play(script, { sandbox, settings: { models } })
    assert.equal(answer?.answer, 'Done.')
    assert.deepEqual(askedOf(requests), [...Array.from({ length: tries }, () => 'first'), 'second', 'second'])
    const notes = turn.entries.filter(({ thought }) => thought?.includes('openai/second is asked instead'))
    assert.equal(notes.length, 1)
  })
}

test('a run ends with the last model’s fault when none can be asked', async () => {
  await using sandbox = await makeWorkspace({})
  const script: ModelScript = ({ body }) => ({ status: 401, message: `no key for ${body['model'] as string}` })
  const { error, requests } = await play(script, { sandbox, settings: { models } })
  assertEndsWith(error, 'model_error', /no key for third/)
  assert.deepEqual(askedOf(requests), ['first', 'second', 'third'])
})

test('a model that cannot be used at all is left out, and the log says why', async () => {
  await using sandbox = await makeWorkspace({})
  const settings = { models: ['anthropic/claude-opus-5', 'openai/second'] }
  const { answer, turn } = await play(byModel({ second: [finish] }), { sandbox, settings })
  assert.equal(answer?.answer, 'Done.')
  assert.match(turn.entries[0]?.thought ?? '', /Anthropic's, which is not configured.* openai\/second is asked first/)
})

test('the operator’s list is asked in its order, and a request that is wrong is no reason to ask another', async () => {
  await using sandbox = await makeWorkspace({})
  const options = { defaultModels: ['openai/first', 'openai/second'] }
  const fallen = await play(byModel({ first: [{ status: 403 }], second: [finish] }), { sandbox, options })
  assert.equal(fallen.answer?.answer, 'Done.')
  const overflow = await play(byModel({ first: [{ fault: 'overflow' }, { text: 'A summary.' }, finish] }), {
    sandbox,
    options,
  })
  assert.ok(askedOf(overflow.requests).every((model) => model === 'first'))
})

test('a turn asks no more often than its run says', async () => {
  await using sandbox = await makeWorkspace({})
  const script: ModelScript = () => ({ calls: [{ name: 'shell', input: { command: 'date +%N' } }] })
  const { error, requests } = await play(script, { sandbox, settings: { maxModelCalls: 3 } })
  assertEndsWith(error, 'max_steps_reached', /asked a model 3 times.*Raise max_model_calls/)
  assert.equal(requests.length, 3)
})
