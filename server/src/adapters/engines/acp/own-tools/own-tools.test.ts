import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServers } from '#adapters/engines/engine.ts'
import { noHooks } from '#base/hooks.ts'
import { engine, failsWith, openSandbox, play } from '#test/play-acp.ts'
import { AnswerAwaited, MemoryTurn } from '#test/memory-turn.ts'
import { plain } from '#test/play-agent.ts'

const schema = { type: 'object', properties: { fixed: { type: 'boolean' } }, required: ['fixed'] }

test('finish ends a turn once what it names was run here', async () => {
  const { turn, answer } = await play('DO:fix,finish')
  assert.match(answer.answer, /^It is fixed\.\n\nChecks:\n- `grep -q fixed fixed\.txt`: passed, [\d.]+ s \[t1-1\.1\]$/)
  assert.equal(answer.title, 'Fix it')
  assert.equal(answer.checks?.[0]?.exitCode, 0)
  const tools = turn.entries.filter(({ messageType }) => messageType === 'ACTION').map(({ toolName }) => toolName)
  assert.deepEqual(tools, ['shell', 'check'], 'its call of finish is no entry of its own')
})

test('a check that an agent lies about is sent back, and shown as what it is', async () => {
  const { turn, answer } = await play('DO:fix,lie THEN:excuse')
  assert.match(answer.answer, /- `false`: failed with exit code 1/)
  assert.match(answer.answer, /Open:\n- It cannot pass here\./)
  const checks = turn.entries.filter(({ toolName }) => toolName === 'check')
  assert.deepEqual(
    checks.map(({ toolOutput }) => toolOutput?.['exit_code']),
    [1, 1],
  )
})

test('work that nothing was run for is sent back', async () => {
  const { turn, sandbox, answer } = await play('DO:fix,careless THEN:finish')
  assert.equal(turn.entries.filter(({ toolName }) => toolName === 'check').length, 1)
  assert.match(answer.answer, /passed/)
  const session = (await sandbox.readFile(`${sandbox.paths.home}/.agents/scripted_agent/session.json`)).toString()
  assert.match(session, /No command was run after the last edit/)
})

test('an agent that knows finish and does not call it is told so, and fails in the end', async () => {
  await assert.rejects(play('DO:tools'), failsWith('no_end', /4 times without calling finish: I was told 4 times\./))
})

test('the result fits its schema, or is sent back', async () => {
  const { answer } = await play('DO:wrong,right', { outputSchema: schema })
  assert.deepEqual(answer.output, { fixed: true })
  const wrong = play('DO:wrong,wrong,wrong', { outputSchema: schema })
  await assert.rejects(wrong, failsWith('output_invalid', /3 times/))
})

test('what does not fit a tool, and a tool that is not there, are answered', async () => {
  const { answer } = await play('DO:odd,finish')
  assert.match(answer.thought ?? '', /expected string/)
  assert.match(answer.thought ?? '', /there is no tool format_disk/)
})

test('a question waits without a worker, and its answer is told to the agent that comes back', async () => {
  const sandbox = await openSandbox()
  const waiting = new MemoryTurn({ prompt: 'DO:question THEN:finish', sandbox })
  await assert.rejects(engine.run(waiting), AnswerAwaited)
  const { turn, answer } = await play('DO:question THEN:finish', { sandbox, store: waiting.store, answers: ['that'] })
  assert.match(answer.answer, /It is fixed/)
  assert.equal(turn.asked.length, 1)
  const session = (await sandbox.readFile(`${sandbox.paths.home}/.agents/scripted_agent/session.json`)).toString()
  assert.match(session, /Your call of ask_person has this result:\\nthat/)
})

test('until its plan is approved an agent changes no file of the work; then it is started anew', async () => {
  const sandbox = await openSandbox()
  const prompt = 'DO:write,plan THEN:write,plan THEN:write,fix,finish'
  const { turn, answer } = await play(prompt, {
    sandbox,
    planApproval: true,
    answers: ['Name the file fixed.txt', 'yes'],
  })
  assert.deepEqual(
    turn.asked.map(({ kind, text }) => [kind, text]),
    [
      ['plan', '1. Fix it\n\nRisks:\n- None'],
      ['plan', '1. Fix it\n\nRisks:\n- None'],
    ],
  )
  const spoken = [...turn.entries, answer].map(({ thought }) => thought ?? '').join('\n')
  assert.equal(spoken.match(/EROFS/g)?.length, 2)
  assert.match(spoken, /Name the file fixed\.txt/)
  assert.match(spoken, /written/)
  assert.match(answer.answer, /passed/)
})

test('a hook of the repository that fails before the end is told, and the work goes on', async () => {
  const hooks = { ...noHooks, beforeFinish: ['test -e written.txt'] }
  const { turn, answer } = await play('DO:fix,finish THEN:write,finish', { hooks })
  assert.match(answer.answer, /passed/)
  assert.equal(turn.entries.filter(({ toolName }) => toolName === 'before_finish').length, 2)
})

test('tools of the organization’s MCP servers are offered, and are in the log by their own names', async () => {
  const asked: unknown[] = []
  const mcp: McpServers = {
    list: async () => ({
      tools: [
        {
          name: 'mcp__linear__echo',
          server: 'linear',
          tool: 'echo',
          description: 'Echoes',
          inputSchema: { type: 'object' },
        },
      ],
      servers: [{ name: 'linear', fault: null, leftOut: [] }],
    }),
    call: async (request) => {
      asked.push(request)
      return { text: 'hello back', image: null, isError: false }
    },
  }
  const sandbox = await openSandbox()
  const turn = Object.assign(new MemoryTurn({ prompt: 'DO:tools,echo,finish', sandbox }), { mcp })
  const { thought } = await engine.run(turn)
  assert.deepEqual(asked, [{ server: 'linear', tool: 'echo', input: { text: 'hello' } }])
  const entry = turn.entries.find(({ toolName }) => toolName === 'mcp__linear__echo')
  assert.equal(entry?.observation, 'hello back')
  assert.match(thought ?? '', /finish ask_person linear__echo/)
})

test('where there are tests, an agent is offered to have faults found', async () => {
  const sandbox = await openSandbox()
  const files = {
    'package.json': '{ "type": "module" }',
    'sum.js': 'export function sum(a, b) {\n  return a - b\n}\n',
    'sum.test.js':
      "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { sum } from './sum.js'\n" +
      "test('sums', () => assert.equal(sum(1, 2), 3))\n",
  }
  for (const [file, text] of Object.entries(files))
    await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  const { turn } = await play('DO:locate,fix,finish', { sandbox })
  const located = turn.entries.find(({ toolName }) => toolName === 'locate_fault')
  assert.match(
    plain(located?.observation),
    /- sum\.test\.js > sums: .*-1 == 3\n\n[^]*sum\.js:2 \([\d.]+\) return a - b/,
  )
})

test('whatever calls the tools, and however often, is answered or refused, and the turn goes on', async () => {
  const { turn, answer } = await play('DO:fix,knock,finish')
  assert.match(answer.thought ?? '', /[1-9]\d+ were too many\./)
  assert.match(answer.answer, /passed/)
  assert.ok(turn.entries.length < 5)
})

test('an agent that forks until nothing can be started, or wipes its home, spoils its own run alone', async () => {
  const { answer } = await play('DO:fork,count')
  assert.match(answer.answer, /No more: EAGAIN/)
  const wiped = await play('DO:home')
  assert.equal(wiped.answer.answer, 'My home is mine.')
  // It has nothing left to take up.
  const steps = wiped.turn.store.steps.map((step) => ({ type: 'step' as const, turn: 1, step }))
  const next = await play('DO:fix,finish', { number: 2, sandbox: wiped.sandbox, past: [...wiped.turn.past, ...steps] })
  assert.match(next.answer.answer, /passed/)
})

test('what people say ends a prompt between two tools, and is the next one', async () => {
  const sandbox = await openSandbox()
  const turn = new MemoryTurn({ prompt: 'DO:fix,wait,fix,hang', sandbox })
  const running = engine.run(turn)
  while (turn.entries.length < 2) await sleep(5)
  turn.messages.push('DO:count,finish')
  await sandbox.writeFile('go', Buffer.from(''))
  const { answer, thought } = await running
  assert.match(answer, /^It is fixed/)
  assert.match(thought ?? '', /I was told 2 times/)
})
