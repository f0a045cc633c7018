import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readOwnAgents } from './agents/read-own-agents.ts'
import { openAcp, openOwnAcp } from './open-acp.ts'
import { base, engine, failsWith, folder, models, openSandbox, play, spec } from '#test/play-acp.ts'
import { MemoryTurn, WorkerLost } from '#test/memory-turn.ts'

test('what an agent thinks, plans, does and says is in the log, and its last words are the answer', async () => {
  const { turn, answer, sandbox } = await play('DO:fix')
  assert.equal(answer.answer, 'It is fixed.')
  assert.equal((await sandbox.readFile('fixed.txt')).toString(), 'fixed\n')
  const [plan, action] = turn.entries
  assert.equal(plan?.messageType, 'PLAN_EVALUATION')
  assert.equal(plan?.thought, 'I look first.')
  assert.deepEqual(plan?.observation, { steps: [{ text: 'Fix it', status: 'in_progress' }] })
  assert.equal(action?.messageType, 'ACTION')
  assert.equal(action?.thought, 'Now I fix it.')
  assert.equal(action?.toolName, 'shell')
  assert.deepEqual(action?.toolInput, { command: 'echo fixed > fixed.txt && cat fixed.txt' })
  assert.equal(action?.observation, 'fixed\n')
  assert.equal(turn.entries.length, 2)
  assert.deepEqual(
    turn.written.map(({ kind, piece }) => `${kind} ${piece}`),
    ['thought I look ', 'thought first.', 'answer Now I fix it.', 'answer It is ', 'answer fixed.'],
  )
})

test('it reaches its model by the token of the run, at the address inside', async () => {
  const { answer, sandbox } = await play('DO:token', { model: 'claude-opus-5' })
  assert.equal(answer.answer, `same claude-opus-5 ${sandbox.proxyUrl}/model/anthropic`)
})

test('an agent that the operator describes in a file is driven in the same way', async () => {
  const file = path.join(base, 'agents.json')
  const described = {
    name: 'tester',
    provider: 'anthropic',
    folder,
    command: ['{node}', '{modules}/agent.mjs'],
    environment: { MODEL: '{model}', BASE: '{baseUrl}' },
    token_variables: ['TOKEN_VARIABLE'],
    files: { 'settings/agent.json': '["{model}"]' },
    mode: 'yolo',
  }
  writeFileSync(file, JSON.stringify([described]))
  const [own] = readOwnAgents(file)
  const ownEngine = openOwnAcp(own!, { models })
  assert.deepEqual(ownEngine.availability(), { available: true, reason: null })
  const sandbox = await openSandbox()
  const turn = new MemoryTurn({ prompt: 'DO:token', model: 'claude-opus-5', sandbox })
  assert.equal((await ownEngine.run(turn)).answer, `same claude-opus-5 ${sandbox.proxyUrl}/model/anthropic`)
  const fixing = new MemoryTurn({ prompt: 'DO:fix', sandbox: await openSandbox() })
  assert.equal((await ownEngine.run(fixing)).answer, 'It is fixed.')
  assert.match(
    openOwnAcp({ ...own!, folder: '/nonexistent' }, { models }).availability().reason ?? '',
    /tester is not installed: there is no folder \/nonexistent/,
  )
})

test('a model of another provider is refused with what it needs', async () => {
  await assert.rejects(play('DO:fix', { model: 'google/gemini-3' }), failsWith('no_model', /google|Google/))
})

test('what it asks to be allowed is allowed once', async () => {
  assert.equal((await play('DO:ask')).answer.answer, 'You said once.')
})

test('what a newer agent says in other forms is left out, and the rest is understood', async () => {
  const { answer } = await play('DO:newer')
  assert.equal(answer.answer, '[smell] understood')
})

test('what an agent tells of itself is no word of its model, and in the log if it is a fault', async () => {
  const { turn, answer } = await play('DO:warn')
  assert.equal(answer.answer, 'Noted.')
  assert.deepEqual(
    turn.entries.map(({ messageType, observation }) => [messageType, observation]),
    [['ERROR', 'A notice: error\nIt is about me.']],
  )
})

test('a tool that was never ended is ended with the turn', async () => {
  const { turn, answer } = await play('DO:open')
  assert.equal(answer.answer, 'The agent ended without a last message.')
  assert.equal(turn.entries[0]?.observation, 'failed: Wait for ever')
})

test('a message that comes while it works is its next prompt, in the same session', async () => {
  const messages: string[] = []
  const sandbox = await openSandbox()
  const turn = new MemoryTurn({ prompt: 'DO:fix,wait', sandbox, messages })
  const running = engine.run(turn)
  while (turn.entries.length === 0) await sleep(5)
  messages.push('DO:count')
  await sandbox.writeFile('go', Buffer.from(''))
  assert.equal((await running).answer, 'I was told 2 times.')
  assert.equal(turn.entries.at(-1)?.thought, 'It is fixed.')
})

test('a follow-up goes on in the session of the turn before', async () => {
  const { turn, sandbox } = await play('DO:fix')
  const past = [...turn.past, ...turn.store.steps.map((step) => ({ type: 'step' as const, turn: 1, step }))]
  const next = await play('DO:count', { number: 2, sandbox, past })
  assert.equal(next.answer.answer, 'I was told 2 times.')
  assert.deepEqual(next.turn.entries, [], 'what a loaded session repeats is not logged again')
})

for (const when of ['begun', 'done'] as const) {
  test(`a turn whose worker was lost with a tool ${when} goes on in its session, and the tool is told of once`, async () => {
    const sandbox = await openSandbox()
    const lost = new MemoryTurn({ prompt: 'DO:fix', sandbox, loseWorkerAt: { key: 't1/agent/0', when } })
    await assert.rejects(engine.run(lost), WorkerLost)
    const { turn, answer } = await play('DO:count', { sandbox, store: lost.store })
    assert.equal(answer.answer, 'I was told 2 times.')
    const tools = turn.entries.filter(({ messageType }) => messageType === 'ACTION')
    assert.equal(tools.length, 1)
    assert.match(JSON.stringify(tools[0]?.observation), /was interrupted/)
    const plans = turn.entries.filter(({ messageType }) => messageType === 'PLAN_EVALUATION')
    assert.deepEqual(
      plans.map(({ observation }) => JSON.stringify(observation).includes('Fix it')),
      [true, false],
    )
  })
}

test('an agent whose session is lost is told what happened', async () => {
  const first = await play('DO:fix')
  const steps = first.turn.store.steps.map((step) => ({ type: 'step' as const, turn: 1, step }))
  const past = [...first.turn.past, ...steps, { type: 'turn_ended' as const, turn: 1, result: 'It is fixed.' }]
  const { sandbox, answer } = await play('DO:count', { number: 2, past })
  assert.equal(answer.answer, 'I was told 1 times.')
  const history = (await sandbox.readFile(`${sandbox.paths.home}/.agents/scripted_agent/session.json`)).toString()
  assert.match(history, /Person: DO:fix/)
  assert.match(history, /Tool shell: fixed/)
  assert.match(history, /You: It is fixed\./)
})

const faults: [word: string, code: string, message: RegExp][] = [
  ['die', 'engine_error', /ended with exit code 3\.\na fatal fault/],
  ['refuse', 'refused', /its model refused/],
  ['flood', 'engine_error', /said more than it may/],
  ['line', 'engine_error', /exceeds the configured/],
]
for (const [word, code, message] of faults)
  test(`an agent that does "${word}" fails the run with what happened, and nothing of it is left`, async () => {
    const sandbox = await openSandbox()
    await assert.rejects(play(`DO:${word}`, { sandbox }), failsWith(code, message))
    const { output } = await sandbox.exec({ shell: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "', timeoutMs: 10_000 })
      .result
    assert.doesNotMatch(output.toString(), /node_modules\/agent/)
  })

test('what is nested too deep to be stored is cut, and the turn goes on', async () => {
  const { turn } = await play('DO:deep,count')
  assert.equal(turn.entries.length, 1)
})

test('a stop ends an agent that does not answer', async () => {
  const stop = new AbortController()
  const sandbox = await openSandbox()
  const turn = new MemoryTurn({ prompt: 'DO:hang', sandbox, signal: stop.signal })
  const running = engine.run(turn)
  setTimeout(() => stop.abort(new Error('stopped')), 1_000)
  await assert.rejects(running)
})

test('one that is not installed says how it is installed', () => {
  const { available, reason } = openAcp({ ...spec, entry: 'missing.js' }, { folder, models }).availability()
  assert.equal(available, false)
  assert.match(reason ?? '', /runwright engines install scripted_agent/)
})
