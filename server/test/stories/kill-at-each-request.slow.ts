import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { after, test } from 'node:test'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { startService, stopProcess, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const shell = (command: string) => ({ name: 'shell', input: { command } })
/** It prints much, so that there is something to leave out. */
const look = (part: number): ScriptedReply => ({
  reasoning: `I read part ${part}.`,
  calls: [shell(`seq ${part}0000 ${part}2500`), { name: 'list', input: { path: '.' } }],
})
const looks = Array.from({ length: 24 }, (_, n) => look(n + 1))
/** Answers with thinking, calls beside each other, a session, an edit, and so much text that the conversation is made shorter. */
const replies: ScriptedReply[] = [
  { reasoning: 'First a file.', calls: [{ name: 'write', input: { path: 'a.txt', content: 'one\n' } }] },
  { calls: [{ name: 'session', input: { command: 'echo up; exec sleep 600' } }] },
  ...looks.slice(0, 12),
  { reasoning: 'It grows.', calls: [shell('seq 10')], usage: { input: 900_000, output: 50 } },
  ...looks.slice(12),
  { calls: [{ name: 'edit', input: { path: 'a.txt', old_text: 'one', new_text: 'two' } }] },
  { reasoning: 'Does it hold?', calls: [shell('grep two a.txt')] },
  { calls: [{ name: 'finish', input: { summary: 'Two.' } }] },
]

let worker: ChildProcess
const asked: string[] = []
let answered = 0
const model = await startModelServer(async ({ body, text }) => {
  // For a summary of the conversation.
  if (body['tools'] === undefined) return { text: 'What was done until here: a.txt was written.' }
  asked.push(text)
  if (asked.length % 2 === 1) {
    worker.kill('SIGKILL')
    worker = await service.startWorker()
    return { fault: 'cut' }
  }
  return replies[answered++] ?? { status: 400, message: 'asked too often' }
})
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-test-0123456789',
    RUNWRIGHT_MODEL: 'anthropic/claude-scripted',
  },
})

test(
  'a run whose worker is killed at each of its requests asks each of them again, byte by byte',
  { timeout: 400_000 },
  async () => {
    worker = await service.startWorker()
    const at = `/v1/organizations/${service.organizationId}/agent/run`
    const run = await service.call<RunAnswer>('POST', at, {
      prompt: 'Write a.txt.',
      agent_type: 'builtin',
      timeout_minutes: 60,
    })
    const ended = await service.untilEnded(run.id, 600_000)
    assert.equal(ended.status, 'completed', JSON.stringify(ended.error) + service.said())
    assert.equal(answered, replies.length)
    assert.equal(asked.length, replies.length * 2)
    for (let n = 0; n < asked.length; n += 2) assert.equal(asked[n + 1], asked[n], `request ${n / 2 + 1}`)
    const log = await service.log(run.id)
    assert.ok(
      log.some(({ tool_name }) => tool_name === 'compaction'),
      'the conversation was made shorter',
    )
    const commands = log
      .filter(({ tool_name }) => tool_name === 'shell')
      .map(({ tool_input }) => tool_input?.['command'])
    const calls = replies.flatMap((reply) => ('calls' in reply ? (reply.calls ?? []) : []))
    assert.deepEqual(
      commands,
      calls.flatMap(({ name, input }) => (name === 'shell' ? [input?.['command']] : [])),
    )
    await stopProcess(worker)
  },
)
