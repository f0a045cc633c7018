import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '#base/entry.ts'
import { one } from '#db/pool.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { storeBlob } from '#domain/runs/blobs/store-blob.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { correctGitBytes } from '#domain/accounts/storage/correct-git-bytes.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { takeGitBytes } from '#domain/accounts/storage/take-git-bytes.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { appendLog, logLines } from './append-log.ts'
import { readLogPage } from './read-log-page.ts'
import { LogRefused } from './taking-log.ts'

const db = await testDb()
const blobs = testBlobs()
const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB
const mask = (text: string) => text
const roomy = { organization: GiB, repo: GiB, run: GiB, log: 64 * MiB }
await saveStorageLimits(db, roomy)

/** As large as its entry is to be, in bytes. */
function entryOf(bytes: number): Entry {
  const empty = { messageType: 'ACTION' as const, observation: '' }
  return { ...empty, observation: 'x'.repeat(bytes - logLines([empty], { turn: 1, mask }).bytes) }
}

async function doStep(holder: Holder, key: string, bytes: number): Promise<void> {
  const { step } = await startStep(db, { holder, key, kind: 'tool', request: {} })
  await finishStep(db, { holder, step, response: { key }, entries: [entryOf(bytes)], mask })
}

/** How many of fifty at once are let in; the others must be refused as a log is. */
async function fiftyDo(act: (n: number) => Promise<unknown>): Promise<{ let: number; refused: LogRefused[] }> {
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => act(n)))
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  for (const reason of reasons) assert.ok(reason instanceof LogRefused, String(reason))
  return { let: 50 - reasons.length, refused: reasons as LogRefused[] }
}

const headOf = ({ runId }: Holder) =>
  one<{ bytes: number; entries: number }>(
    db,
    'select log_bytes as bytes, next_seq - 1 as entries from run_heads where run_id = $1',
    [runId],
  )
const logsOf = async (holder: Holder) => {
  const { used } = await getStorage(db, holder)
  const run = await one<{ logs: number }>(
    db,
    `select coalesce(sum(logs), 0)::bigint as logs from storage where organization_id = $1 and scope = 'run' and id = $2`,
    [holder.organizationId, holder.runId],
  )
  return { organization: used.logs, run: run.logs }
}
const end = (holder: Holder) =>
  finishTurn(db, {
    holder,
    mask,
    end: { status: 'failed', error: { code: 'storage_full', message: 'full', retryable: true } },
    entries: [{ messageType: 'ERROR', observation: 'full' }],
  })

test("fifty steps at once fill a run's log exactly, and of those refused nothing is written", async () => {
  await saveStorageLimits(db, { ...roomy, log: MiB })
  const { holder } = await makeHeldRun(db)
  const { let: taken, refused } = await fiftyDo((n) => doStep(holder, `step ${n}`, MiB / 16))
  assert.equal(taken, 16)
  assert.deepEqual(await headOf(holder), { bytes: MiB, entries: 16 })
  const { done } = await one<{ done: number }>(
    db,
    `select count(*) as done from steps where run_id = $1 and state = 'done'`,
    [holder.runId],
  )
  assert.equal(done, 16)
  for (const { code, message } of refused) {
    assert.equal(code, 'output_limit_reached')
    assert.match(message, /The log of run \d+ may hold 1 MiB, .* would make it 2 MiB\. .*RUNWRIGHT_STORAGE_LOG_MIB/)
  }
  await saveStorageLimits(db, roomy)
})

test('runs that write at once fill the limit of their organization exactly, and each can still tell its end', async () => {
  const { holder: first } = await makeHeldRun(db)
  const { organizationId } = first
  await limitStorage(db, { organizationId, bytesMax: 2 * MiB, byOperator: false })
  const others = await Promise.all([1, 2, 3, 4].map(() => makeHeldRun(db, { organizationId })))
  const holders = [first, ...others.map(({ holder }) => holder)]
  const { let: taken, refused } = await fiftyDo((n) => doStep(holders[n % 5]!, `step ${n}`, MiB / 8))
  assert.equal(taken, 16)
  assert.equal((await logsOf(first)).organization, 2 * MiB)
  for (const { code, message } of refused) {
    assert.equal(code, 'storage_full')
    assert.match(message, /The organization may store 2 MiB, .*RUNWRIGHT_STORAGE_MIB/)
  }
  for (const holder of holders) await end(holder)
  const lengths = await Promise.all(holders.map(async (holder) => (await headOf(holder)).bytes))
  assert.equal(
    (await logsOf(first)).organization,
    lengths.reduce((sum, bytes) => sum + bytes, 0),
  )
  for (const { organizationId: id, runId } of holders) {
    const log = await readLogPage(db, { organizationId: id, runId, blobs, from: 1, to: 100 })
    assert.match(log.at(-1) ?? '', /"message_type":"ERROR".*"observation":"full"/)
  }
})

test('what a run pushes and what its log holds fill one limit of the run', async () => {
  const { holder } = await makeHeldRun(db)
  await saveStorageLimits(db, { ...roomy, run: 8 * MiB })
  await takeGitBytes(db, { ...holder, repoId: null, bytes: 7 * MiB })
  const { let: taken, refused } = await fiftyDo((n) => doStep(holder, `step ${n}`, MiB / 8))
  assert.equal(taken, 8)
  assert.match(refused[0]?.message ?? '', /Run \d+ may store 8 MiB.*RUNWRIGHT_STORAGE_RUN_MIB/)
  await saveStorageLimits(db, roomy)
})

test('most appends lock nothing but their run, and what is held ahead is given back as the run ends', async () => {
  const { holder } = await makeHeldRun(db)
  await doStep(holder, 'first', 2 * KiB)
  const ahead = await logsOf(holder)
  assert.deepEqual(ahead, { organization: 66 * KiB, run: 66 * KiB })
  for (let n = 0; n < 10; n++) await doStep(holder, `more ${n}`, KiB)
  assert.deepEqual(await logsOf(holder), ahead)
  await end(holder)
  const { bytes } = await headOf(holder)
  assert.ok(bytes > 12 * KiB && bytes < 13 * KiB, String(bytes))
  assert.deepEqual(await logsOf(holder), { organization: bytes, run: bytes })
})

test('a run that is stopped gives back what its log held ahead', async () => {
  const { holder, run } = await makeHeldRun(db)
  await doStep(holder, 'first', 2 * KiB)
  await cancelRun(db, { organizationId: run.organizationId, runId: run.id, userId: null })
  await finishTurn(db, { holder, mask, end: { status: 'cancelled' }, entries: [] })
  assert.deepEqual(await logsOf(holder), { organization: 2 * KiB, run: 2 * KiB })
})

test('what people said and what has been done is told in a full organization, and counted', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId } = holder
  await doStep(holder, 'first', 2 * KiB)
  await limitStorage(db, { organizationId, bytesMax: 0, byOperator: false })
  await appendLog(db, { ...holder, lines: logLines([entryOf(100 * KiB)], { turn: 1, mask }) })
  await assert.rejects(doStep(holder, 'second', KiB), { code: 'storage_full' })
  await limitStorage(db, { organizationId, bytesMax: GiB, byOperator: false })
  await doStep(holder, 'second', KiB)
  assert.ok((await logsOf(holder)).organization >= 103 * KiB)
})

test('the log of a run from before its size was held is counted once', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId, runId } = holder
  await doStep(holder, 'first', 2 * KiB)
  // As a process of the version before leaves it at the end of a turn.
  await db.query('select count_log($1, $2)', [organizationId, runId])
  await db.query('update run_heads set log_held = null where run_id = $1', [runId])
  assert.deepEqual(await logsOf(holder), { organization: 2 * KiB, run: 2 * KiB })
  await doStep(holder, 'second', 2 * KiB)
  await end(holder)
  const { bytes } = await headOf(holder)
  assert.deepEqual(await logsOf(holder), { organization: bytes, run: bytes })
})

test('whoever takes storage at once, by logs, pushes and files, waits for nobody in a circle', async () => {
  const blobs = testBlobs()
  const { holder: first } = await makeHeldRun(db)
  const { organizationId } = first
  await limitStorage(db, { organizationId, bytesMax: 12 * MiB, byOperator: false })
  const others = await Promise.all([1, 2, 3].map(() => makeHeldRun(db, { organizationId })))
  const holders = [first, ...others.map(({ holder }) => holder)]
  const file = (text: string) => Buffer.alloc(100 * KiB, text)
  const acts: ((holder: Holder, n: number) => Promise<unknown>)[] = [
    (holder, n) => doStep(holder, `step ${n}`, 90 * KiB),
    (holder) => appendLog(db, { ...holder, lines: logLines([entryOf(2 * KiB)], { turn: 1, mask }) }),
    (holder) => takeGitBytes(db, { ...holder, repoId: 7, bytes: 50 * KiB }),
    () => correctGitBytes(db, { organizationId, repoId: 7, bytes: 10 * KiB, againMs: null }),
    async (holder, n) => {
      // Of the same bytes in several runs, and of others.
      const blob = await storeBlob(db, blobs, { organizationId, bytes: file(`${n % 3 ? n : 'same'} `) })
      await saveArtifact(db, { holder, name: `${n}.txt`, contentType: 'text/plain', blob })
    },
  ]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => acts[n % acts.length]!(holders[n % holders.length]!, n)),
  )
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal((outcome.reason as { code?: string }).code, 'storage_full')
  for (const holder of holders) await end(holder)
  const lengths = await Promise.all(holders.map(async (holder) => (await headOf(holder)).bytes))
  assert.equal(
    (await getStorage(db, { organizationId })).used.logs,
    lengths.reduce((sum, bytes) => sum + bytes, 0),
  )
})
