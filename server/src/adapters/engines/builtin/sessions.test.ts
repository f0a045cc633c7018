import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import { WorkerLost } from '#test/memory-turn.ts'
import type { ScriptedReply } from '#test/model-server.ts'
import { byAnswers, messagesOf, plain, play } from '#test/play-agent.ts'
import { testContext } from '#test/test-context.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { runTool } from './run-tool.ts'

const makeWorkspace = testWorkspaces()
let sandbox: Sandbox
before(async () => {
  sandbox = await makeWorkspace({ 'a.txt': 'a\n' })
})

function open() {
  const context = testContext(sandbox)
  let calls = 0
  const call = async (input: JsonObject) => {
    const { result } = await runTool({ name: 'session', input }, { ...context, callName: `t1-${++calls}.1` })
    return result
  }
  return { call, stopAll: () => context.sessions.stopAll() }
}

describe('session', () => {
  test('is started, written to and read, and ends with its exit code', async () => {
    const { call } = open()
    const started = await call({
      command: 'echo ready; while read line; do echo "got $line"; [ "$line" = end ] && exit 4; done',
    })
    assert.match(started.text, /^ready\n\[session t1-1\.1 is running for [\d.]+ s, step t1-1\.1\]$/)
    assert.match((await call({ session: 't1-1.1', input: 'one\n' })).text, /^got one\n\[session t1-1\.1 is running/)
    const ended = await call({ session: 't1-1.1', input: 'end\n' })
    assert.match(ended.text, /^got end\n\[session t1-1\.1 ended: exit 4/)
    assert.partialDeepStrictEqual(ended.output, { running: false, exit_code: 4 })
    assert.match((await call({ session: 't1-1.1', input: 'x' })).text, /has ended/)
  })

  test('has a terminal where it asks for one', async () => {
    const { call } = open()
    const { text } = await call({
      command: 'tty; [ -t 0 ] && [ -t 1 ] && read x && echo "<$x>"; exit 3',
      terminal: true,
    })
    assert.match(text, /^\/dev\/pts\/\d+\n\[session/)
    assert.match((await call({ session: 't1-1.1', input: 'é\n' })).text, /<é>\n\[session t1-1\.1 ended: exit 3/)
  })

  test('waits for the end of a quiet command, and no longer than it may', async () => {
    const { call } = open()
    assert.match((await call({ command: 'echo a; sleep 1.5; echo b', until_end: true })).text, /^a\nb\n.*ended: exit 0/)
    const { text } = await call({ command: 'sleep 60', wait_seconds: 0.2 })
    assert.match(text, /^\[session t1-2\.1 is running for 0/)
  })

  test('leaves nothing behind when it is stopped', async () => {
    const { call } = open()
    for (const terminal of [false, true]) {
      const { output } = await call({ command: 'sleep 4711 & sleep 4711', terminal, wait_seconds: 0.3 })
      const stopped = await call({ session: output['session'] as string, stop: true })
      assert.match(stopped.text, /was stopped/)
      assert.ok(!('exit_code' in stopped.output))
      const left = await sandbox.exec({ shell: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "', timeoutMs: 9_000 }).result
      assert.ok(!left.output.toString().includes('sleep 4711'), left.output.toString())
    }
  })

  test('a flood is killed, and its newest output kept', { timeout: 60_000 }, async () => {
    const { call } = open()
    const { text, output } = await call({ command: 'yes flood', until_end: true, wait_seconds: 50 })
    assert.match(text, /older bytes were dropped unread\]/)
    assert.match(text, /was killed after [\d.]+ s: it printed too much/)
    assert.ok(text.length < 20_000)
    assert.match(output['artifact'] as string, /t1-1\.1\.txt/)
  })

  test('there are no more than 8, and each has its name', async () => {
    const { call, stopAll } = open()
    for (let n = 0; n < 8; n++) await call({ command: 'sleep 60', wait_seconds: 0 })
    assert.match((await call({ command: 'sleep 60' })).text, /8 sessions run already \(t1-1\.1, .*stop one/)
    await stopAll()
    assert.match((await call({ session: 's1' })).text, /There is no session s1\. There are: t1-1\.1/)
    assert.match((await call({})).text, /Give either/)
    assert.match((await call({ command: 'x', session: 'y' })).text, /Give either/)
  })
})

const reply = (name: string, input: JsonObject): ScriptedReply => ({ calls: [{ name, input }] })
const write = (content: string) => reply('write', { path: 'a.txt', content })
const start = (command: string) => reply('session', { command, wait_seconds: command.startsWith('sleep') ? 0 : 9 })
const finish = (more: JsonObject = {}) => reply('finish', { summary: 'Done.', ...more })
const newest = (body: JsonObject | undefined) => plain(messagesOf(body).at(-1)?.['content'])

test('one that was started after the last edit is evidence, an earlier one is not', async () => {
  await using own = await makeWorkspace({})
  const early = [write('a'), start('sleep 1'), write('b'), reply('session', { session: 't1-2.1', until_end: true })]
  const checks = [{ step: 't1-4.1' }, { step: 't1-6.1' }]
  const { answer, requests } = await play([...early, finish(), start('true'), finish({ checks }), finish({ checks })], {
    sandbox: own,
  })
  assert.match(newest(requests[5]?.body), /No command was run after the last edit/)
  assert.match(answer?.answer ?? '', /`sleep 1`: not run here\n- `true`: passed/)
})

test('who looks at a session that never says anything is told of it in the end', async () => {
  await using own = await makeWorkspace({})
  const look = reply('session', { session: 't1-1.1', wait_seconds: 0 })
  const looks = Array.from({ length: 33 }, () => look)
  const { turn, requests } = await play([start('sleep 4714'), ...looks, look, finish()], { sandbox: own })
  const stuck = turn.entries.filter(({ thought }) => thought?.includes('the same call gave the same result'))
  assert.equal(stuck.length, 1)
  assert.equal(
    requests.findIndex(({ body }) => JSON.stringify(body).includes('the same call gave the same result')),
    34,
  )
})

test('one that still runs is stopped with the turn, and the log says so', async () => {
  await using own = await makeWorkspace({})
  const { answer, turn } = await play([start('sleep 4712'), finish()], { sandbox: own })
  assert.equal(answer?.answer, 'Done.')
  assert.ok(turn.entries.some(({ thought }) => thought?.includes('stopped with the turn: t1-1.1 (sleep 4712)')))
  const left = await own.exec({ shell: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "', timeoutMs: 9_000 }).result
  assert.ok(!left.output.toString().includes('sleep 4712'))
})

test('after its worker was lost, the model reads that it is gone', async () => {
  await using own = await makeWorkspace({})
  const script = byAnswers([start('sleep 4713'), reply('list', {}), finish()])
  const lost = await play(script, { sandbox: own, loseWorkerAt: { key: 't1/model/2', when: 'begun' } })
  assert.ok(lost.error instanceof WorkerLost)
  const { answer, requests } = await play(script, { sandbox: own, store: lost.turn.store })
  assert.equal(answer?.answer, 'Done.')
  assert.match(JSON.stringify(requests.map(({ body }) => body)), /Session t1-1\.1 ended with its worker/)
})
