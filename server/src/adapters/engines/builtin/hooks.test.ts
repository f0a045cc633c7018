import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import type { Hooks } from '#base/hooks.ts'
import type { ModelScript, ScriptedReply } from '#test/model-server.ts'
import { byAnswers, messagesOf, plain, play } from '#test/play-agent.ts'
import { WorkerLost } from '#test/memory-turn.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const call = (name: string, input: JsonObject): ScriptedReply => ({ calls: [{ name, input }] })
const write = (path: string, content: string) => call('write', { path, content })
const run = (command: string) => call('shell', { command })
const finish = call('finish', { summary: 'Done.' })
const newest = (body: JsonObject | undefined) => plain(messagesOf(body).at(-1)?.['content'])
const hooks = (more: Partial<Hooks>): Hooks => ({ afterEdit: [], beforeFinish: [], ...more })
const format = { command: 'tr a-z A-Z < "$1" > x && cat x > "$1"; rm x; echo n >> count', paths: ['*.txt'] }

test('a formatter runs after each change to its files, and the change says what it changed besides', async () => {
  await using sandbox = await makeWorkspace({ 'old.txt': 'old\n' })
  const path = "it's a.txt"
  const script = [write(path, 'a\n'), write('b.md', 'b\n'), run(`cat "${path}" count`), finish]
  const { answer, requests, turn } = await play(byAnswers(script), {
    sandbox,
    hooks: hooks({ afterEdit: [format] }),
  })
  assert.equal(answer?.answer, 'Done.')
  assert.match(
    newest(requests[1]?.body),
    /created it's a\.txt[^]*after_edit has run[^]*changed it's a\.txt, count: read/,
  )
  assert.doesNotMatch(newest(requests[2]?.body), /after_edit/)
  assert.match(newest(requests[3]?.body), /A\nn\n\[exit 0/)
  const entries = turn.entries.filter(({ toolName }) => toolName === 'after_edit')
  assert.equal(entries.length, 1)
  assert.partialDeepStrictEqual(entries[0], {
    messageType: 'ACTION',
    toolInput: { command: format.command, path },
    toolOutput: { exit_code: 0, changed: [path, 'count'] },
  })
})

test('a hook that fails after a change says so, and the change stands', async () => {
  await using sandbox = await makeWorkspace({})
  const afterEdit = [{ command: 'printf "%05000d\\nno such style\\n" 0; exit 2', paths: [] }]
  const { requests } = await play(byAnswers([write('a.txt', 'a\n'), run('cat a.txt'), finish]), {
    sandbox,
    hooks: hooks({ afterEdit }),
  })
  const result = newest(requests[1]?.body)
  assert.match(result, /created a\.txt[^]*<data seal[^]*no such style\n\[exit 2, [^]*<\/data/)
  assert.ok(result.length < 6_000, String(result.length))
  assert.match(newest(requests[2]?.body), /^a\n|a\n\[exit 0/)
})

test('what a repository runs before the end has to pass, and is named if it never does', async () => {
  await using sandbox = await makeWorkspace({})
  const fixed = [write('a.txt', 'a\n'), run('true'), finish, run('touch ok'), finish]
  const beforeFinish = ['echo linting; test -e ok', 'true']
  const done = await play(byAnswers(fixed), { sandbox, hooks: hooks({ beforeFinish }) })
  assert.equal(done.answer?.answer, 'Done.')
  assert.match(
    newest(done.requests[3]?.body),
    /a hook of the repository failed\.\n<data [^]*test -e ok\nlinting\n\[exit 1/,
  )
  assert.equal(done.turn.entries.filter(({ toolName }) => toolName === 'before_finish').length, 4)

  await using other = await makeWorkspace({})
  const never = [write('a.txt', 'a\n'), run('true'), finish, finish, finish]
  const { answer } = await play(byAnswers(never), { sandbox: other, hooks: hooks({ beforeFinish: ['false'] }) })
  assert.equal(answer?.answer, 'Done.\n\nHooks of the repository that failed:\n- `false`')
})

test('nothing runs before the end of a turn that did nothing, nor while something else is against the end', async () => {
  await using sandbox = await makeWorkspace({})
  const beforeFinish = ['echo x >> /tmp/count; false']
  const { answer, turn } = await play(byAnswers([finish]), { sandbox, hooks: hooks({ beforeFinish }) })
  assert.equal(answer?.answer, 'Done.')
  assert.equal(turn.entries.filter(({ toolName }) => toolName === 'before_finish').length, 0)
  const script = [write('a.txt', 'a\n'), finish, run('true'), finish, finish, finish]
  const again = await play(byAnswers(script), { sandbox, hooks: hooks({ beforeFinish }) })
  assert.ok(again.answer)
  assert.equal(again.turn.entries.filter(({ toolName }) => toolName === 'before_finish').length, 3)
})

for (const when of ['begun', 'done'] as const) {
  for (const [key, name] of [
    ['t1/tool/1.1', 'write'],
    ['t1/tool/1.1/hook/1', 'after_edit'],
    ['t1/tool/3.1/hook/1', 'before_finish'],
  ] as const) {
    test(`a worker lost when ${name} is ${when} runs no hook twice`, async () => {
      await using sandbox = await makeWorkspace({})
      const own = hooks({ afterEdit: [format], beforeFinish: ['echo f >> count'] })
      const script: ModelScript = byAnswers([write('a.txt', 'a\n'), run('cat count || true'), finish, finish])
      const lost = await play(script, { sandbox, hooks: own, loseWorkerAt: { key, when } })
      assert.ok(lost.error instanceof WorkerLost, String(lost.error))
      const { answer, error, turn, requests } = await play(script, { sandbox, hooks: own, store: lost.turn.store })
      assert.equal(answer?.answer, 'Done.', error?.stack)
      const count = (await sandbox.readFile(`${sandbox.paths.workspace}/count`).catch(() => '')).toString()
      const isHook = name !== 'write'
      // What was begun and lost has an entry of its own, and is told.
      const interrupted = turn.entries.filter(({ toolOutput }) => toolOutput?.['interrupted'])
      assert.equal(interrupted.length, isHook ? 1 : 0)
      assert.ok((count.match(/n/g)?.length ?? 0) <= 1, count)
      assert.ok((count.match(/f/g)?.length ?? 0) <= 2, count)
      if (name === 'after_edit') assert.match(newest(requests[0]?.body), /Interrupted by a restart/)
      if (name === 'write') assert.match(newest(requests[0]?.body), /changed a\.txt, count/)
      // A further request is the same as if nothing had been lost.
      const third = await play(script, { sandbox, hooks: own, store: turn.store })
      assert.equal(third.answer?.answer, 'Done.')
      assert.equal(third.requests.length, 0)
    })
  }
}

test('hostile hooks are bounded', async () => {
  await using sandbox = await makeWorkspace({})
  const afterEdit = [
    { command: 'for i in $(seq 3000); do echo > "f$i"; done; yes | head -c 30000000', paths: ['**'] },
    { command: 'rm -rf .git; kill -9 $$', paths: [] },
  ]
  const { answer, requests } = await play(byAnswers([write('a.txt', 'a\n'), run('true'), finish]), {
    sandbox,
    hooks: hooks({ afterEdit }),
  })
  assert.ok(answer)
  const shown = newest(requests[1]?.body)
  assert.match(shown, /and 980 more|and \d+ more/)
  assert.ok(shown.length < 12_000, String(shown.length))
})

test('a patch is a change as edits are: hooks run for each of its files, and it wants a command after it', async () => {
  await using sandbox = await makeWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const input = '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n*** Delete File: b.txt\n*** End Patch'
  const script = [call('apply_patch', { input }), finish, run('cat a.txt'), finish]
  const { answer, turn, requests } = await play(script, {
    sandbox,
    settings: { models: ['openai/gpt-5.1'] },
    hooks: hooks({ afterEdit: [{ command: 'echo "hook for $1"', paths: [] }] }),
    wire: 'responses',
  })
  assert.equal(answer?.answer, 'Done.')
  const ran = turn.entries.filter(({ toolName }) => toolName === 'after_edit')
  assert.deepEqual(
    ran.map(({ toolInput }) => toolInput?.['path']),
    ['a.txt'],
  )
  assert.equal(requests.length, 4)
})
