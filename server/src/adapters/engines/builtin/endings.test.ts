import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import type { ModelScript, ScriptedReply } from '#test/model-server.ts'
import { assertEndsWith, byAnswers, messagesOf, plain, play } from '#test/play-agent.ts'
import { WorkerLost } from '#test/memory-turn.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const call = (name: string, input: JsonObject): ScriptedReply => ({ calls: [{ name, input }] })
const say = (text: string): ScriptedReply => ({ text })
const finish = (more: JsonObject = {}) => call('finish', { summary: 'Done.', ...more })
const write = call('write', { path: 'a.txt', content: 'a\n' })
const run = (command: string) => call('shell', { command })
const newest = (body: JsonObject | undefined) => plain(messagesOf(body).at(-1)?.['content'])

for (const prompt of ['Write a.txt.', 'What does median() do?']) {
  test(`text alone never ends a task: ${prompt}`, async () => {
    await using sandbox = await makeWorkspace({})
    const script = [write, ...Array.from({ length: 4 }, () => say('Now I will write the test and run the suite.'))]
    const { answer, error, requests, turn } = await play(script, { sandbox, prompt })
    assert.equal(answer, null)
    assertEndsWith(error, 'no_end', /4 times in a row: Now I will write the test and run the suite\./)
    assert.equal(requests.length, 5)
    assert.match(newest(requests[2]?.body), /only finish ends the task\. Still open:\n- No command was run after/)
    const spoken = turn.entries.filter(({ messageType }) => messageType === 'PLAN_EVALUATION')
    assert.equal(spoken.length, 3)
  })
}

test('a model that only speaks is told which steps of its plan are open, and may go on', async () => {
  await using sandbox = await makeWorkspace({})
  const steps = [
    { text: 'Read', status: 'done' },
    { text: 'Write the test', status: 'pending' },
  ]
  const talk = say('I shall begin.')
  const { answer, requests } = await play(
    [call('plan', { steps }), talk, talk, talk, run('true'), talk, talk, talk, finish()],
    { sandbox },
  )
  assert.equal(answer?.answer, 'Done.')
  const notice = newest(requests[2]?.body)
  assert.match(notice, /- A step of your plan is not done: Write the test/)
  assert.doesNotMatch(notice, /Read|No command/)
})

test('how a check ended is what the log knows, and what did not run since the last edit is said not to have', async () => {
  await using sandbox = await makeWorkspace({})
  const checks = [
    { step: 't1-2.1', passed: true },
    { step: 't1-4.1', passed: true },
    { command: 'echo `a`' },
    { step: 't1-9.9', command: 'pytest (never run)', passed: true },
  ]
  const script = [
    write,
    run('echo before'),
    write,
    run('exit 3'),
    run('echo `a`'),
    finish({ checks }),
    finish({ checks }),
  ]
  const { answer, requests } = await play(script, { sandbox })
  assert.match(newest(requests[6]?.body), /No step since the last edit ran `echo before`.*\n.*`pytest \(never run\)`/)
  const lines = answer?.answer
    .replaceAll(/[\d.]+ s/g, '# s')
    .split('\n')
    .slice(2)
  assert.deepEqual(lines, [
    'Checks:',
    '- `echo before`: not run here',
    '- `exit 3`: failed with exit code 3, # s [t1-4.1]',
    '- `` echo `a` ``: passed, # s [t1-5.1]',
    '- `pytest (never run)`: not run here',
  ])
})

test('work whose last edit no command has passed after ends only with an explanation', async () => {
  await using sandbox = await makeWorkspace({})
  const open = ['The suite needs a database.']
  const failing = [write, run('exit 1'), finish(), finish(), finish({ open })]
  const { answer, requests } = await play(failing, { sandbox })
  assert.match(newest(requests[3]?.body), /No command has passed since the last edit/)
  assert.match(newest(requests[4]?.body), /No command has passed since the last edit/)
  assert.equal(answer?.answer, 'Done.\n\nOpen:\n- The suite needs a database.')
  const stubborn = await play([write, ...Array.from({ length: 9 }, () => finish())], { sandbox })
  assertEndsWith(stubborn.error, 'stuck', /the same call failed 3 times/)
})

const outputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['hats'],
  properties: { hats: { $ref: '#/$defs/count' }, names: { type: 'array', items: { type: 'string' } } },
  $defs: { count: { type: 'integer' } },
}

for (const wire of ['chat', 'responses', 'anthropic', 'google']) {
  test(`the result is an argument of finish over the ${wire} wire, sent back with what does not fit`, async () => {
    await using sandbox = await makeWorkspace({})
    const script = [finish(), finish({ output: { hats: '4', names: [1] } }), finish({ output: { hats: 4 } })]
    const { answer, requests } = await play(script, { sandbox, outputSchema, wire })
    assert.deepEqual(answer?.output, { hats: 4 })
    assert.equal(answer?.answer, 'Done.')
    assert.match(requests[0]?.text ?? '', /"hats":\{/)
    assert.match(requests[1]?.text ?? '', /output: it is missing/)
    assert.match(requests[2]?.text ?? '', /output: \/hats must be integer/)
    assert.match(requests[2]?.text ?? '', /output: \/names\/0 must be string/)
  })
}

test('a schema that points into itself points to its new place', async () => {
  await using sandbox = await makeWorkspace({})
  const { requests } = await play([finish({ output: { hats: 4 } })], { sandbox, outputSchema, wire: 'anthropic' })
  assert.match(requests[0]?.text ?? '', /"\$ref":"#\/properties\/output\/\$defs\/count"/)
  assert.doesNotMatch(requests[0]?.text ?? '', /2020-12\/schema.*2020-12\/schema/)
})

test('a result that never fits ends it', async () => {
  await using sandbox = await makeWorkspace({})
  const script: ModelScript = (_, number) => finish({ output: { hats: `${number}` } })
  const { error, requests } = await play(script, { sandbox, outputSchema })
  assertEndsWith(error, 'output_invalid', /did not fit its schema, 3 times/)
  assert.equal(requests.length, 3)
})

test('whoever goes on knows what ran and what was spoken', async () => {
  await using sandbox = await makeWorkspace({})
  const script = byAnswers([write, run('true'), say('Hm.'), finish({ checks: [{ step: 't1-2.1' }] })])
  const lost = await play(script, { sandbox, loseWorkerAt: { key: 't1/model/4', when: 'begun' } })
  assert.ok(lost.error instanceof WorkerLost)
  const { answer, requests } = await play(script, { sandbox, store: lost.turn.store })
  assert.equal(requests.length, 1)
  assert.match(answer?.answer ?? '', /- `true`: passed, [\d.]+ s \[t1-2\.1\]$/)
})

test('what is written outside the workspace is no part of the work, and needs no check', async () => {
  await using sandbox = await makeWorkspace({})
  const path = `${sandbox.paths.temporary}/notes.txt`
  const { answer } = await play([call('write', { path, content: 'a\n' }), finish()], { sandbox })
  assert.equal(answer?.answer, 'Done.')
})
