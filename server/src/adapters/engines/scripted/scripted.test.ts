import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EngineError, type Answer } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Json } from '#base/json.ts'
import { AnswerAwaited, MemoryTurn, WorkerLost, type MemoryTurnOptions } from '#test/memory-turn.ts'
import { plain } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { openScripted } from './scripted.ts'

const makeWorkspace = testWorkspaces()
const engine = openScripted({ enabled: true })
const noSandbox = {} as Sandbox

async function play(
  script: Json,
  options: Partial<MemoryTurnOptions> = {},
): Promise<{ answer: Answer; turn: MemoryTurn }> {
  const turn = new MemoryTurn({ sandbox: noSandbox, metadata: { script }, ...options })
  return { answer: await engine.run(turn), turn }
}

test('plays every kind of step', async () => {
  await using sandbox = await makeWorkspace({ 'a.txt': 'a\n' })
  const script = [
    { plan: ['look', 'write'] },
    { think: 'Let me see.' },
    { read: 'a.txt' },
    { write: { path: 'b.txt', content: 'b\n' } },
    { shell: 'cat b.txt; exit 2' },
    { sleep_ms: 1 },
    { error: 'something broke' },
    { answer: 'All done.', title: 'Add b', body: 'It was missing.' },
    { think: 'never thought' },
  ]
  const { answer, turn } = await play(script, { sandbox })
  assert.deepEqual(answer, { answer: 'All done.', summary: 'All done.', title: 'Add b', body: 'It was missing.' })
  assert.deepEqual(
    turn.entries.map(({ messageType, toolName, thought }) => [messageType, toolName ?? thought ?? null]),
    [
      ['PLAN_EVALUATION', 'A plan of 2 steps.'],
      ['PLAN_EVALUATION', 'Let me see.'],
      ['ACTION', 'read'],
      ['ACTION', 'write'],
      ['ACTION', 'shell'],
      ['ERROR', null],
      ['PLAN_EVALUATION', 'Every step of the plan is done.'],
    ],
  )
  assert.match(plain(turn.entries[4]?.observation), /^b\n\[exit 2, /)
  assert.equal((await sandbox.readFile(`${sandbox.paths.workspace}/b.txt`)).toString(), 'b\n')
})

test('a plan is done when the answer is there, and as far as the script says where it says so', async () => {
  const plansOf = (turn: MemoryTurn) => turn.entries.map(({ observation }) => observation)
  const done = await play([{ plan: ['look', 'write'] }, { answer: 'Done.' }])
  assert.deepEqual(plansOf(done.turn).at(-1), {
    steps: [
      { text: 'look', status: 'done' },
      { text: 'write', status: 'done' },
    ],
  })
  const steps = [
    { text: 'look', status: 'done' },
    { text: 'write', status: 'pending' },
  ]
  const report = await play([{ plan: steps }, { answer: 'Enough.' }])
  assert.deepEqual(plansOf(report.turn), [{ steps }])
  const failing = new MemoryTurn({
    sandbox: noSandbox,
    metadata: { script: [{ plan: ['look'] }, { fail: { code: 'model_error', message: 'no luck' } }] },
  })
  await assert.rejects(engine.run(failing))
  assert.deepEqual(plansOf(failing), [{ steps: [{ text: 'look', status: 'pending' }] }])
})

test('repeats a step and numbers its texts', async () => {
  const { answer, turn } = await play([{ think: 'round {n} of {n}', repeat: 3 }])
  assert.deepEqual(
    turn.entries.map(({ thought }) => thought),
    ['round 1 of 1', 'round 2 of 2', 'round 3 of 3'],
  )
  assert.equal(answer.answer, 'The script has ended.')
})

test('asks, waits for the answer, and goes on with it', async () => {
  const script = [{ ask: { question: 'Tabs?', options: ['yes'] } }, { think: 'so {reply}' }, { answer: 'with {reply}' }]
  const waiting = new MemoryTurn({ sandbox: noSandbox, metadata: { script } })
  await assert.rejects(engine.run(waiting), AnswerAwaited)
  const { answer, turn } = await play(script, { store: waiting.store, answers: ['$& no'] })
  assert.equal(answer.answer, 'with $& no')
  assert.deepEqual(
    turn.entries.map(({ thought, observation }) => thought ?? observation),
    ['$& no', 'so $& no'],
  )
})

test('plays the script anew in each turn, or the script of that turn', async () => {
  assert.equal((await play([{ answer: 'same' }], { number: 2 })).answer.answer, 'same')
  const metadata = { scripts: [[{ answer: 'one' }], [{ answer: 'two' }]] }
  for (const [number, expected] of [
    [1, 'one'],
    [2, 'two'],
    [3, 'two'],
  ] as const) {
    assert.equal((await play(null, { number, metadata })).answer.answer, expected)
  }
})

test('fails as it is told to', async () => {
  const failing = play([{ fail: { code: 'model_error', message: 'no luck' } }])
  await assert.rejects(failing, new EngineError('model_error', 'no luck'))
})

test('goes on where a lost worker left it, and repeats the step it was lost in', async () => {
  await using sandbox = await makeWorkspace({})
  const script = [{ shell: 'echo {n} >> trace.txt', repeat: 3 }, { answer: 'done' }]
  const lost = new MemoryTurn({ sandbox, metadata: { script }, loseWorkerAt: { key: 't1/1/2', when: 'done' } })
  await assert.rejects(engine.run(lost), WorkerLost)
  const { answer, turn } = await play(script, { sandbox, store: lost.store })
  assert.equal(answer.answer, 'done')
  assert.deepEqual(
    turn.entries.map(({ isRepeated }) => isRepeated),
    [false, true, false],
  )
  assert.equal((await sandbox.readFile(`${sandbox.paths.workspace}/trace.txt`)).toString(), '1\n2\n2\n3\n')
})

test('a stop ends its sleep', async () => {
  const stop = new AbortController()
  const playing = play([{ sleep_ms: 60_000 }], { signal: stop.signal })
  stop.abort(new Error('stopped by ada'))
  await assert.rejects(playing, /stopped by ada/)
})

describe('a bad script', () => {
  const cases: [string, Json, RegExp][] = [
    ['that is none', null, /metadata\.script must be an array of steps/],
    [
      'with an unknown step',
      [{ think: 'a' }, { dance: true }],
      /step 2 of metadata\.script is none of shell, .*\{"dance":true\}/,
    ],
    ['with a wrong value', [{ shell: 7 }], /step 1 of metadata\.script is wrong: shell: /],
    ['with an unknown code', [{ fail: { code: 'boom', message: 'x' } }], /step 1 .* fail\.code: /],
    ['with an unknown word', [{ think: 'a', repeats: 2 }], /repeats/],
    ['that repeats for ever', [{ think: 'a', repeat: 1e9 }], /repeat: /],
  ]
  for (const [title, script, message] of cases) {
    test(`${title} says which step is wrong`, async () => {
      await assert.rejects(play(script), { code: 'engine_error', message })
    })
  }
})

test('says whether a turn of its script uses the sandbox', async () => {
  const scripts = [
    [{ think: 'a' }, { sleep_ms: 1 }, { answer: 'b' }],
    [{ think: 'a' }, { shell: 'true' }],
  ]
  const needs = (number: number) => engine.needsSandbox!({ metadata: { scripts }, number })
  assert.deepEqual(await Promise.all([needs(1), needs(2)]), [false, true])
  await assert.rejects(engine.needsSandbox!({ metadata: { script: [{}] }, number: 1 }), { code: 'engine_error' })
})

test('says how to turn it on', () => {
  assert.deepEqual(openScripted({ enabled: false }).availability(), {
    available: false,
    reason: 'set RUNWRIGHT_SCRIPTED=1',
  })
  assert.deepEqual(engine.availability(), { available: true, reason: null })
})
