import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Entry } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { listArtifacts } from '#domain/runs/artifacts/list-artifacts.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { keepLongTexts } from './keep-long-texts.ts'
import { readLogPage } from './read-log-page.ts'

const db = await testDb()
const blobs = testBlobs()
const mask = openRedactor([{ name: 'KEY', value: 'very-secret-value' }]).mask
const action = (output: string): Entry => ({ messageType: 'ACTION', toolName: 'shell', toolOutput: { output } })
const long = (sign: string) => `${sign.repeat(500_000)} very-secret-value ${sign.repeat(500_000)}`
const masked = (sign: string) => long(sign).replace('very-secret-value', '[redacted:KEY]')

async function finish(holder: Holder, entries: Entry[]) {
  const { step } = await startStep(db, { holder, key: 'print', kind: 'tool', request: {} })
  const ready = await keepLongTexts(db, { blobs, mask, holder, at: String(step), entries })
  const written = () => finishStep(db, { holder, step, response: null, entries: ready, mask })
  await written()
  return written
}

/** The names of a run's artifacts, each with what it holds. */
async function artifactsOf(holder: Holder): Promise<Record<string, string | undefined>> {
  const { items } = await listArtifacts(db, { ...holder, skip: 0, limit: 100 })
  const texts = await Promise.all(items.map(async (item) => (await blobs.get({ ...holder, ...item }))?.toString()))
  return Object.fromEntries(items.map(({ name }, index) => [name, texts[index]]))
}
const logOf = async ({ organizationId, runId }: Holder) =>
  (await readLogPage(db, { organizationId, runId, blobs, from: 1, to: 100 })).map(
    (text) => JSON.parse(text) as { observation: string; tool_output: { output: string } },
  )

test('what a step says beyond an entry becomes an artifact with it, without the secret, and counts with the log', async () => {
  const { holder } = await makeHeldRun(db)
  await finish(holder, [action('short'), action(long('x')), action(long('y'))])
  assert.deepEqual(await artifactsOf(holder), {
    'log-1-2-tool_output.txt': masked('x'),
    'log-1-3-tool_output.txt': masked('y'),
  })
  assert.match((await logOf(holder))[1]?.tool_output.output ?? '', /the whole is the artifact log-1-2-tool_output\.txt/)
  const { bytes } = await one<{ bytes: number }>(db, 'select log_bytes as bytes from run_heads where run_id = $1', [
    holder.runId,
  ])
  assert.ok(bytes > 2 * masked('x').length)
})

test('an outcome that is sent again after its answer was lost is stored once', async () => {
  const { holder } = await makeHeldRun(db)
  const again = await finish(holder, [action(long('x'))])
  await again()
  assert.equal((await logOf(holder)).length, 1)
  assert.deepEqual(Object.keys(await artifactsOf(holder)), ['log-1-tool_output.txt'])
})

test('a worker that was taken over leaves neither entry nor artifact; who goes on leaves one', async () => {
  const { holder } = await makeHeldRun(db)
  const { step } = await startStep(db, { holder, key: 'print', kind: 'tool', request: {} })
  const entries = await keepLongTexts(db, { blobs, mask, holder, at: String(step), entries: [action(long('x'))] })
  const next = { ...holder, leaseId: randomUUID() }
  await db.query('update run_heads set lease_id = $2 where run_id = $1', [holder.runId, next.leaseId])
  await assert.rejects(finishStep(db, { holder, step, response: null, entries, mask }), LeaseLost)
  assert.deepEqual([await artifactsOf(holder), await logOf(holder)], [{}, []])
  await finish(next, [action(long('y'))])
  assert.deepEqual(await artifactsOf(holder), { 'log-1-tool_output.txt': masked('y') })
})

test('a prompt of the greatest length, which JSON makes longer, is kept whole too', async () => {
  const prompt = '"'.repeat(limits.promptBytesMax)
  const { holder } = await makeHeldRun(db, { prompt })
  assert.deepEqual(await takeMessages(db, { holder, mask, blobs }), [{ text: prompt, images: [] }])
  assert.match((await logOf(holder))[0]?.observation ?? '', /the whole is the artifact log-message-1-observation\.txt/)
  assert.deepEqual(await artifactsOf(holder), { 'log-message-1-observation.txt': prompt })
})

test('an answer beyond an entry is kept whole', async () => {
  const { holder } = await makeHeldRun(db)
  const answer: Entry = { messageType: 'FINAL_ANSWER', observation: long('z') }
  const entries = await keepLongTexts(db, { blobs, mask, holder, at: 'turn-1', entries: [answer] })
  const end = { status: 'completed' as const, result: 'Done', summary: null }
  await finishTurn(db, { holder, end, entries, mask })
  assert.deepEqual(await artifactsOf(holder), { 'log-turn-1-observation.txt': masked('z') })
})
