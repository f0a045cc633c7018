import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { applyDelta, type TextDelta, type WrittenText } from '@runwright/sdk'
import { newTokenText } from '#domain/accounts/tokens/token-text.ts'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { openStream, type StreamEvent } from '#test/open-stream.ts'
import { startService, stopProcess, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
let replies: ScriptedReply[] = []
/** What the model says is followed from its first word. */
let followed = Promise.withResolvers<void>()
const model = await startModelServer(async () => {
  await followed.promise
  return replies.shift() ?? { status: 400, message: 'asked too often' }
})
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { OPENAI_BASE_URL: `${model.url}/v1`, RUNWRIGHT_MODEL: 'scripted-1' },
})
const at = `/v1/organizations/${service.organizationId}/agent/run`
const finish: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }

async function createAndFollow() {
  followed = Promise.withResolvers<void>()
  const run = await service.call<RunAnswer>('POST', at, { prompt: 'Think about it.', agent_type: 'builtin' })
  const url = `${service.url}${at}/${run.id}/logs/stream`
  const stream = await openStream(url, { authorization: `Bearer ${service.token}` })
  followed.resolve()
  return { run, stream }
}

/** Each state of what a reader sees being written, in order. */
function statesOf(events: StreamEvent[]): string[] {
  let written: WrittenText | null = null
  return events
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => (written = applyDelta(written, data as TextDelta)).text)
}

test('what a model thinks and says is shown while it comes, without secrets, and is stored once', async () => {
  const worker = await service.startWorker()
  const secret = newTokenText()
  const reasoning = `The key ${secret} is in the file, and ${'I think of it. '.repeat(20)}`.trim()
  replies = [{ reasoning, text: 'I am done.', sends: 10, ...finish }]
  const { run, stream } = await createAndFollow()
  const events = await stream.until('end')
  const states = statesOf(events)
  assert.ok(states.length > 5, `${states.length} pieces`)
  const hidden = reasoning.replace(secret, '[redacted]')
  assert.equal(states.at(-1), `${hidden}\n\nI am done.`)
  assert.ok(!JSON.stringify(states).includes(secret.slice(0, 12)))
  const log = JSON.stringify(await service.log(run.id))
  assert.equal(log.split('I am done.').length, 2)
  assert.equal((await service.untilEnded(run.id)).status, 'completed')
  await stopProcess(worker)
})

test('a half answer is taken back when the connection breaks, and nothing of it is stored or done', async () => {
  const worker = await service.startWorker()
  const half = { text: 'Half of it '.repeat(10).trim(), calls: [{ name: 'shell', input: { command: 'touch half' } }] }
  replies = [
    { ...half, sends: 100, breaks: 'cut' },
    // What is over at once may never be shown while it is written.
    { text: 'All of it.', sends: 400, ...finish },
  ]
  const { run, stream } = await createAndFollow()
  const states = statesOf(await stream.until('end'))
  assert.ok(states.indexOf('') > 0, 'it was shown, and then it was gone')
  assert.equal(states.at(-1), 'All of it.')
  const log = JSON.stringify(await service.log(run.id))
  assert.ok(!log.includes('Half of it') && !log.includes('touch half'))
  await stopProcess(worker)
})

test('a worker that is killed while a model writes loses nothing, and its half stays nowhere', async () => {
  const worker = await service.startWorker()
  replies = [
    { text: 'Lost words. '.repeat(200), sends: 20 },
    { text: 'Said again.', sends: 400, ...finish },
  ]
  const { run, stream } = await createAndFollow()
  await stream.until('delta')
  worker.kill('SIGKILL')
  const next = await service.startWorker()
  const states = statesOf(await stream.until('end'))
  assert.equal(states.at(-1), 'Said again.')
  assert.ok(!JSON.stringify(await service.log(run.id)).includes('Lost words'))
  assert.equal((await service.untilEnded(run.id)).status, 'completed')
  await stopProcess(next)
})

test('a stop ends a request that is answered without end', async () => {
  const worker = await service.startWorker()
  replies = [{ text: 'On and on. '.repeat(5_000), sends: 10 }]
  const { run, stream } = await createAndFollow()
  await stream.until('delta')
  const asked = model.requests.at(-1)
  await service.call('POST', `${at}/${run.id}/cancel`)
  await stream.until('end')
  assert.equal((await service.untilEnded(run.id)).status, 'cancelled')
  const sent = asked?.eventsSent ?? 0
  assert.ok(sent > 0 && sent < 4_000, `${sent} events were sent`)
  await stopProcess(worker)
})
