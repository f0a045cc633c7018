import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#base/limits.ts'
import { rows } from '#db/pool.ts'
import { newTokenText } from '#domain/accounts/tokens/token-text.ts'
import { startService, untilReleased, type LogAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api' })
const path = `/v1/organizations/${service.organizationId}/agent/run`
const secret = newTokenText()
const start = (script: object[]) => service.play(script, { prompt: 'Print' })

/** 2 MB in numbered lines, the secret in their middle. */
const print = (word: string) =>
  `seq -f '${word} %.0f of very many' 1 40000; echo key ${secret}; seq -f '${word} %.0f of very many' 40001 80000`
const printed = (word: string) => {
  const lines = Array.from({ length: 80_000 }, (_, n) => `${word} ${n + 1} of very many`)
  return `${lines.toSpliced(40_000, 0, 'key [redacted]').join('\n')}\n`
}

const readArtifact = async (id: number, name: string) =>
  (await service.ask('GET', `${path}/${id}/artifacts/${encodeURIComponent(name)}`)).text()
const listArtifacts = async (id: number) =>
  (await service.call<{ items: { name: string }[] }>('GET', `${path}/${id}/artifacts`)).items

function artifactNamedBy(entry: LogAnswer | undefined): string {
  const output = String(entry?.tool_output?.['output'])
  const name = /\[… \d+ characters left out; the whole is the artifact (\S+) …\]/.exec(output)?.[1]
  assert.ok(name, output.slice(0, 200))
  return name
}

test('what a tool prints beyond an entry is kept whole as an artifact that the entry names, without the secret', async () => {
  const worker = await service.startWorker()
  const { id } = await start([{ shell: print('line') }, { answer: 'Printed.' }])
  assert.equal((await service.untilEnded(id)).status, 'completed')
  const entry = (await service.log(id)).find(({ message_type }) => message_type === 'ACTION')
  assert.ok(Buffer.byteLength(JSON.stringify(entry)) <= limits.logEntryBytesMax + 200)
  assert.match(String(entry?.tool_output?.['output']), /^line 1 of very many\n[^]*\nline 80000 of very many\n$/)
  const name = artifactNamedBy(entry)
  assert.match(name, /^log-\d+-tool_output\.txt$/)
  const whole = await readArtifact(id, name)
  assert.equal(whole, printed('line'))
  assert.ok(!whole.includes(secret))
  const [{ bytes }] = (await rows<{ bytes: number }>(db, 'select log_bytes as bytes from run_heads where run_id = $1', [
    id,
  ])) as [{ bytes: number }]
  assert.ok(bytes > whole.length, 'it counts to what the log of the run may hold')
  worker.kill('SIGTERM')
})

test('a run killed between the bytes and their entry has one artifact in the end', async () => {
  // The entry cannot be written while its run is locked, the bytes can.
  const victim = await service.startWorker()
  const { id } = await start([{ shell: `${untilReleased}; ${print('row')}` }, { answer: 'Printed.' }])
  await until(async () => (await rows(db, `select from steps where run_id = $1 and kind = 'tool'`, [id])).length === 1)
  const lock = await db.connect()
  await lock.query('begin; set local idle_in_transaction_session_timeout = 60000')
  await lock.query('select from run_heads where run_id = $1 for update', [id])
  const stored = async () => (await rows(db, 'select from blobs')).length
  const before = await stored()
  service.release(id)
  await until(async () => (await rows(db, writing)).length > 0)
  victim.kill('SIGKILL')
  assert.deepEqual([await stored(), await listArtifacts(id)], [before + 1, []])
  await lock.query('rollback')
  lock.release()
  await service.startWorker()
  assert.equal((await service.untilEnded(id)).status, 'completed')
  const actions = (await service.log(id)).filter(({ message_type }) => message_type === 'ACTION')
  assert.equal(actions.length, 1)
  assert.equal(actions[0]?.tool_output?.['repeated'], true)
  const artifacts = await listArtifacts(id)
  assert.deepEqual(
    artifacts.map(({ name }) => name),
    [artifactNamedBy(actions[0])],
  )
  assert.equal(await readArtifact(id, artifacts[0]?.name ?? ''), printed('row'))
  assert.equal(await stored(), before + 1)
})

/** Connections that wait for the lock with an entry in hand. */
const writing = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%next_seq + cardinality%'`

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}
