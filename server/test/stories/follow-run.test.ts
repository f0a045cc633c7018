import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTokenText } from '#domain/accounts/tokens/token-text.ts'
import { openStream, type StreamEvent } from '#test/open-stream.ts'
import { startService, untilReleased } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api' })
await service.startWorker()
const base = `/v1/organizations/${service.organizationId}`

const open = (url: string, path: string, headers: Record<string, string> = {}) =>
  openStream(`${url}${base}${path}`, { authorization: `Bearer ${service.token}`, ...headers })

const detailsOf = (events: StreamEvent[]) =>
  events.flatMap(({ event, data }) => (event === 'status' ? [data.status_detail ?? data.status] : []))

test('a run is followed from its begin to its end, from another process than the one that works at it', async () => {
  const all = await open(service.url, '/agent/runs/stream')
  const statuses: unknown[] = []
  const run = await service.play([{ think: 'Step {n}', repeat: 5 }, { shell: untilReleased }, { answer: 'Done' }])
  const stream = await open(service.url, `/agent/run/${run.id}/logs/stream`)
  const events: StreamEvent[] = []
  while (detailsOf(events).at(-1) !== 'working') events.push((await stream.next()) as StreamEvent)
  while (statuses.at(-1) !== 'in_progress') statuses.push((await all.next())?.data.status)
  await service.untilLogged(run.id, 6)
  service.release(run.id)
  events.push(...(await stream.until('end')))
  const log = await service.log(run.id)
  assert.deepEqual(
    events.flatMap(({ event, data }) => (event === 'log' ? [data] : [])),
    log,
  )
  assert.equal(detailsOf(events).at(-1), 'completed')
  while (statuses.at(-1) !== 'completed') statuses.push((await all.next())?.data.status)
  all.close()
})

test('an API process that is killed while a run is followed costs its reader no entry: another goes on', async () => {
  const victim = await service.startApi()
  const run = await service.play([
    { think: 'Step {n}', repeat: 20 },
    { shell: untilReleased },
    { think: 'Later', repeat: 20 },
  ])
  const path = `/agent/run/${run.id}/logs/stream`
  const seqs: number[] = []
  const read = ({ id }: StreamEvent) => void (id !== null && seqs.push(id))
  const first = await open(victim.url, path)
  for (let event = await first.next(); event; event = await first.next()) {
    read(event)
    if (seqs.length === 10) victim.child.kill('SIGKILL')
  }
  assert.ok(seqs.length < 41, 'it was killed on the way')
  await service.untilLogged(run.id, 21)
  service.release(run.id)
  const second = await open(service.url, path, { 'last-event-id': String(seqs.at(-1)) })
  read((await second.until('log')).at(-1) as StreamEvent)
  for (const event of await second.until('end')) read(event)
  const log = await service.log(run.id)
  assert.deepEqual(
    seqs,
    log.map(({ seq }) => seq),
  )
})

test('what the tool at work prints is shown while it runs, without secrets', async () => {
  const secret = newTokenText()
  const command = `echo key ${secret}; for i in 1 2 3 4 5; do echo line $i; sleep 0.25; done; ${untilReleased}`
  const run = await service.play([{ shell: command }, { answer: 'Done' }])
  const stream = await open(service.url, `/agent/run/${run.id}/logs/stream`)
  const [progress] = (await stream.until('progress')).slice(-1)
  assert.deepEqual([progress?.data.agent_run_id, progress?.data.tool_name], [run.id, 'shell'])
  assert.match(String(progress?.data.output), /^key \[redacted\]\nline 1\n/)
  const rest = await stream.until('progress')
  while (!/line 5\n/.test(String(rest.at(-1)?.data.output))) rest.push(...(await stream.until('progress')))
  service.release(run.id)
  rest.push(...(await stream.until('end')))
  // The run itself shows what it was started with.
  const report = rest.filter(({ event }) => event === 'log' || event === 'progress')
  assert.ok(!JSON.stringify(report).includes(secret))
})
