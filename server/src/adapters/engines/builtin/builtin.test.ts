import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn, WorkerLost } from '#test/memory-turn.ts'
import type { ScriptedReply } from '#test/model-server.ts'
import { apiKey, byAnswers, messagesOf, pastOf, plain, play } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { openBuiltin } from './builtin.ts'

const makeWorkspace = testWorkspaces()
const files = {
  'package.json': '{ "name": "stats", "type": "module" }\n',
  'AGENTS.md': 'Keep functions short.\n',
  'src/stats.js':
    'export function median(xs) {\n  const s = [...xs].sort();\n  const m = s.length >> 1;\n' +
    '  return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;\n}\n',
  'test/stats.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { median } from '../src/stats.js';\n" +
    "test('median', () => assert.equal(median([10, 9, 1]), 9));\n",
}
const RUN_TESTS = 'node --test 2>&1 | grep -E "^# (pass|fail)"'
const steps = (status: string) => ['Reproduce', 'Fix'].map((text) => ({ text, status }))

const edit = { path: 'src/stats.js', old_text: '.sort()', new_text: '.sort((a, b) => a - b)' }

/** A model that fixes the bug in 10 calls. */
const fixing: ScriptedReply[] = [
  { reasoning: 'First a plan.', text: 'I plan.', calls: [{ name: 'plan', input: { steps: steps('pending') } }] },
  {
    text: 'I look around.',
    calls: [
      { name: 'list', input: {} },
      { name: 'search', input: { pattern: 'median\\(' } },
      { name: 'read', input: { path: 'src/stats.js' } },
    ],
  },
  { calls: [{ name: 'shell', input: { command: RUN_TESTS } }] },
  {
    text: 'sort() sorts as text.',
    calls: [{ name: 'edit', input: edit }],
  },
  { calls: [{ name: 'finish', input: { summary: 'Done without looking.' } }] },
  { text: 'Right, the tests.', calls: [{ name: 'shell', input: { command: RUN_TESTS } }] },
  { calls: [{ name: 'plan', input: { steps: steps('done') } }] },
  {
    text: 'It is fixed.',
    calls: [
      {
        name: 'finish',
        input: {
          summary: 'median() sorts numbers now.',
          checks: [{ step: 't1-6.1' }, { command: 'pytest', passed: true }],
        },
      },
    ],
  },
]

/** The same with fewer calls, where it is not about the bug. */
const quickFixing: ScriptedReply[] = [
  {
    reasoning: 'Go.',
    calls: [
      { name: 'plan', input: { steps: steps('pending') } },
      { name: 'read', input: { path: 'AGENTS.md' } },
    ],
  },
  { text: 'Fix it.', calls: [{ name: 'edit', input: edit }] },
  { calls: [{ name: 'finish', input: { summary: 'Done without looking.' } }] },
  { calls: [{ name: 'shell', input: { command: "grep -c 'a - b' src/stats.js" } }] },
  { calls: [{ name: 'finish', input: { summary: 'median() sorts numbers now.' } }] },
]

const withoutDurations = (text: string) => text.replace(/(\[exit \d+), [\d.]+ s/g, '$1')

for (const wire of ['anthropic', 'chat']) {
  describe(`the built-in agent over the ${wire} wire`, () => {
    test('fixes a bug in a repository and says so', async () => {
      await using sandbox = await makeWorkspace(files)
      const { answer, turn, requests } = await play(fixing, { wire, sandbox })
      const checks = ['- `node --test 2>&1 | grep -E "^# (pass|fail)"`: passed [t1-6.1]', '- `pytest`: not run here']
      assert.ok(answer)
      const { checks: evidence, ...words } = answer
      assert.deepEqual(
        evidence?.map(({ command, step }) => [command, step]),
        [
          ['node --test 2>&1 | grep -E "^# (pass|fail)"', 't1-6.1'],
          ['pytest', null],
        ],
      )
      assert.deepEqual(
        { ...words, answer: answer.answer.replace(/, [\d.]+ s/, '') },
        {
          answer: `median() sorts numbers now.\n\nChecks:\n${checks.join('\n')}`,
          thought: 'It is fixed.',
          summary: 'median() sorts numbers now.',
        },
      )
      const source = await sandbox.readFile(`${sandbox.paths.workspace}/src/stats.js`)
      assert.match(source.toString(), /sort\(\(a, b\) => a - b\)/)
      const report = turn.entries.map(({ messageType, toolName, thought }) => [messageType, toolName ?? null, thought])
      assert.deepEqual(report, [
        ['PLAN_EVALUATION', null, 'Rules of the repository that the agent was given: AGENTS.md.'],
        ['PLAN_EVALUATION', null, 'First a plan.\n\nI plan.'],
        ['ACTION', 'list', 'I look around.'],
        ['ACTION', 'search', null],
        ['ACTION', 'read', null],
        ['ACTION', 'shell', null],
        ['ACTION', 'edit', 'sort() sorts as text.'],
        ['ACTION', 'finish', null],
        ['ACTION', 'shell', 'Right, the tests.'],
        ['PLAN_EVALUATION', null, 'plan kept: 2 of 2 done'],
      ])
      assert.match(plain(turn.entries[5]?.observation), /# fail 1/)
      assert.match(plain(turn.entries[7]?.observation), /No command was run after the last edit/)
      assert.match(plain(turn.entries[8]?.observation), /# pass 1[^]*\[exit 0, /)
      assert.deepEqual(turn.entries[6]?.toolOutput?.['count'], 1)
      const first = JSON.stringify(messagesOf(requests[0]?.body))
      for (const report of [
        'Make the failing tests pass.',
        'The beginning',
        'Keep functions short.',
        'Today is 2026-01-02.',
      ]) {
        assert.ok(first.includes(report), `the first message does not tell: ${report}`)
      }
    })

    test('goes on with the same conversation in the next turn', async () => {
      await using sandbox = await makeWorkspace(files)
      const first = await play(fixing, { wire, sandbox })
      const reply: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Thanks.' } }] }
      const past = pastOf(first.turn, 'fixed')
      const second = await play([reply], { wire, sandbox, number: 2, prompt: 'And mean()?', past })
      assert.equal(second.answer?.answer, 'Thanks.')
      // Only the marks of what to cache move on.
      const unmarked = (messages: unknown) =>
        JSON.stringify(messages).replaceAll(',"cache_control":{"type":"ephemeral"}', '')
      const before = messagesOf(first.requests.at(-1)?.body)
      const now = messagesOf(second.requests[0]?.body)
      assert.equal(unmarked(now.slice(0, before.length)), unmarked(before))
      assert.match(JSON.stringify(messagesOf(second.requests[0]?.body).at(-1)), /And mean\(\)\?/)
    })
  })
}

for (const wire of ['responses', 'google']) {
  test(`works over the ${wire} wire, and gives the model its own reasoning back`, async () => {
    await using sandbox = await makeWorkspace(files)
    const { answer, requests } = await play(fixing, { wire, sandbox })
    assert.equal(answer?.summary, 'median() sorts numbers now.')
    assert.match(
      requests.at(-1)?.text ?? '',
      wire === 'google' ? /"thoughtSignature":"signed-1"/ : /"encrypted_content":"sealed-1"/,
    )
  })
}

describe('a worker that is lost', () => {
  test('between two steps is replaced by one that ends in the same way', async () => {
    await using whole = await makeWorkspace(files)
    const undisturbed = await play(byAnswers(quickFixing), { sandbox: whole })
    const lastRequest = withoutDurations(undisturbed.requests.at(-1)?.text ?? '')
    const keys = undisturbed.turn.store.steps.map(({ key }) => key)
    assert.equal(keys.length, 11)
    for (const key of keys) {
      await using sandbox = await makeWorkspace(files)
      const lost = await play(byAnswers(quickFixing), { sandbox, loseWorkerAt: { key, when: 'begun' } })
      assert.ok(lost.error instanceof WorkerLost)
      const store = {
        ...lost.turn.store,
        steps: lost.turn.store.steps.filter(({ response }) => response !== undefined),
      }
      const next = await play(byAnswers(quickFixing), { sandbox, store })
      assert.equal(next.error, null, `after ${key}: ${next.error?.message}`)
      assert.deepEqual(next.answer, undisturbed.answer)
      const summary = ({ turn }: { turn: MemoryTurn }) =>
        turn.entries.map(({ observation, toolName }) => [
          toolName,
          withoutDurations(JSON.stringify(observation ?? null)),
        ])
      assert.deepEqual(summary(next), summary(undisturbed))
      const text = next.requests.at(-1)?.text
      if (text !== undefined) assert.equal(withoutDurations(text), lastRequest)
    }
  })

  test('while the model was asked leads to the same question', async () => {
    await using sandbox = await makeWorkspace(files)
    const messages = ['Please hurry.']
    const loseWorkerAt = { key: 't1/model/1', when: 'done' } as const
    const lost = await play(byAnswers(quickFixing), { sandbox, messages, loseWorkerAt })
    const next = await play(byAnswers(quickFixing), { sandbox, messages, store: lost.turn.store })
    assert.equal(next.answer?.summary, 'median() sorts numbers now.')
    assert.equal(next.requests[0]?.text, lost.requests[0]?.text)
    assert.match(next.requests[0]?.text ?? '', /Please hurry\./)
  })

  test('in a command leaves it undone, and says that its effect is unknown', async () => {
    await using sandbox = await makeWorkspace(files)
    const replies: ScriptedReply[] = [
      {
        calls: [
          { name: 'shell', input: { command: 'echo once >> trace.txt' } },
          { name: 'read', input: { path: 'AGENTS.md' } },
        ],
      },
      { calls: [{ name: 'finish', input: { summary: 'Done.' } }] },
    ]
    const lost = await play(byAnswers(replies), { sandbox, loseWorkerAt: { key: 't1/tool/1.1', when: 'done' } })
    const next = await play(byAnswers(replies), { sandbox, store: lost.turn.store })
    assert.equal(next.answer?.answer, 'Done.')
    assert.equal((await sandbox.readFile(`${sandbox.paths.workspace}/trace.txt`)).toString(), 'once\n')
    assert.match(
      plain(next.turn.entries[1]?.observation),
      /interrupted by a restart of the service; its effect is unknown/,
    )
    assert.deepEqual(next.turn.entries[1]?.toolOutput, { interrupted: true })
    assert.match(next.requests[0]?.text ?? '', /interrupted by a restart/)
  })

  test('in writing a file has it written all the same', async () => {
    await using sandbox = await makeWorkspace(files)
    const replies: ScriptedReply[] = [
      { calls: [{ name: 'write', input: { path: 'new.txt', content: 'new\n' } }] },
      { calls: [{ name: 'shell', input: { command: 'true' } }] },
      { calls: [{ name: 'finish', input: { summary: 'Done.' } }] },
    ]
    const lost = await play(byAnswers(replies), { sandbox, loseWorkerAt: { key: 't1/tool/1.1', when: 'begun' } })
    await assert.rejects(sandbox.readFile(`${sandbox.paths.workspace}/new.txt`))
    const next = await play(byAnswers(replies), { sandbox, store: lost.turn.store })
    assert.equal(next.answer?.answer, 'Done.')
    assert.equal((await sandbox.readFile(`${sandbox.paths.workspace}/new.txt`)).toString(), 'new\n')
  })

  test('leaves calls open that the next turn answers', async () => {
    await using sandbox = await makeWorkspace(files)
    const replies: ScriptedReply[] = [{ calls: [{ name: 'shell', input: { command: 'true' } }] }]
    const lost = await play(replies, { sandbox, loseWorkerAt: { key: 't1/tool/1.1', when: 'begun' } })
    const past = pastOf(lost.turn, null)
    const finish: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
    const next = await play([finish], { sandbox, number: 2, prompt: 'Go on.', past })
    assert.equal(next.answer?.answer, 'Done.')
    assert.match(
      JSON.stringify(messagesOf(next.requests[0]?.body).at(-2)),
      /the turn was ended before this call was done/,
    )
  })
})

describe('before any question', () => {
  test('says what to set when no model is configured', async () => {
    const engine = openBuiltin({})
    const { available, reason } = engine.availability()
    assert.equal(available, false)
    assert.match(reason ?? '', /ANTHROPIC_API_KEY.*OPENAI_API_KEY.*OPENAI_BASE_URL/)
    const turn = new MemoryTurn({ sandbox: {} as Sandbox })
    await assert.rejects(engine.run(turn), { code: 'no_model' })
    assert.deepEqual(openBuiltin({ anthropic: { apiKey, baseUrl: undefined } }).availability(), {
      available: true,
      reason: null,
    })
  })
})
