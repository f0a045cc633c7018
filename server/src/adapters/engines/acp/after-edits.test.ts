import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { type Hooks, noHooks } from '#base/hooks.ts'
import { MemoryTurn, WorkerLost } from '#test/memory-turn.ts'
import { engine, openSandbox, play } from '#test/play-acp.ts'

const hooks = (command: string, ...paths: string[]): Hooks => ({ ...noHooks, afterEdit: [{ command, paths }] })
const ranIn = (turn: MemoryTurn) => turn.entries.filter(({ toolName }) => toolName === 'after_edit')
const toldIn = async (sandbox: Sandbox) =>
  (await sandbox.readFile(`${sandbox.paths.home}/.agents/scripted_agent/session.json`)).toString()

test('what an agent has edited is formatted once it has ended its turn, before its claim is looked at', async () => {
  const command = 'sed -i s/^/x/ "$1"'
  const { turn, answer, sandbox } = await play('DO:edit,edit,careless THEN:finish', { hooks: hooks(command, '*.txt') })
  assert.match(answer.answer, /`grep -q fixed fixed\.txt`: passed/)
  assert.equal((await sandbox.readFile('fixed.txt')).toString(), 'xfixed\n')
  const [ran, ...more] = ranIn(turn)
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(ran, {
    messageType: 'ACTION',
    toolInput: { command, path: 'fixed.txt' },
    toolOutput: { exit_code: 0, changed: ['fixed.txt'] },
  })
  assert.match(
    await toldIn(sandbox),
    /<data seal[^>]* from=.{1,3}after_edit[^]*It changed fixed\.txt: read what you edit next[^]*No command was run/,
  )
})

test('a hook that fails sends the agent back with what it printed, and twice at most', async () => {
  const style = 'echo "no such style in $1"; exit 2'
  const fixed = await play('DO:edit,finish THEN:finish', { hooks: hooks(style) })
  assert.match(fixed.answer.answer, /passed/)
  assert.equal(ranIn(fixed.turn).length, 1)
  const prompts = await toldIn(fixed.sandbox)
  assert.match(prompts, /It failed for fixed\.txt:[^]*no such style in fixed\.txt[^]*exit 2[^]*Fix what failed/)
  const stubborn = 'DO:edit,finish THEN:edit,finish THEN:edit,finish'
  const { turn, answer } = await play(stubborn, { hooks: hooks(style) })
  assert.match(answer.answer, /passed/)
  assert.equal(ranIn(turn).length, 3)
})

test('an agent without our tools hears of its edits, too, and places of an edit count where no change is shown', async () => {
  const { turn, answer } = await play('DO:place', { hooks: hooks('false', 'it*', '*.md') })
  assert.equal(answer.answer, 'I was told 2 times.')
  assert.deepEqual(
    ranIn(turn).map(({ toolInput }) => toolInput?.['path']),
    ["it's.txt"],
  )
})

test('nothing runs for files that are elsewhere or gone, nor for an edit that failed', async () => {
  const { turn, answer } = await play('DO:stray,count', { hooks: hooks('false') })
  assert.equal(answer.answer, 'I was told 1 times.')
  assert.deepEqual(ranIn(turn), [])
})

test('a hook in which a worker was lost is not run again, and what it had to do is told', async () => {
  const sandbox = await openSandbox()
  const own = { sandbox, hooks: hooks('echo x >> count', 'fixed.txt') }
  const prompt = 'DO:edit,finish THEN:finish THEN:finish'
  const lost = new MemoryTurn({ prompt, ...own, loseWorkerAt: { key: 't1/agent/0/hook/1', when: 'done' } })
  await assert.rejects(engine.run(lost), WorkerLost)
  const { turn, answer } = await play(prompt, { ...own, store: lost.store })
  assert.match(answer.answer, /passed/)
  assert.deepEqual(
    ranIn(turn).map(({ toolOutput }) => toolOutput),
    [{ interrupted: true }],
  )
  assert.equal((await sandbox.readFile('count')).toString(), 'x\n')
  assert.match(await toldIn(sandbox), /It failed for fixed\.txt:[^]*Interrupted by a restart of the service/)
})
