import type pg from 'pg'
import { openRedactor } from '#base/redaction/redactor.ts'
import { recordBlobs } from '#domain/runs/blobs/record-blobs.ts'
import { storeBlob, type BlobSink } from '#domain/runs/blobs/store-blob.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { saveCheckpoint } from '#domain/runs/checkpoints/save-checkpoint.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { recordEgress } from '#domain/runs/egress/record-egress.ts'
import type { ArchiveStore } from '#domain/runs/logs/read-archived-entries.ts'
import { packLog } from '#domain/runs/logs/pack-log.ts'
import { createQuestion } from '#domain/runs/questions/create-question.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { startSandbox } from '#domain/runs/sandboxes/start-sandbox.ts'
import { appendSandboxLog } from '#domain/runs/sandbox-logs/append-sandbox-log.ts'
import { saveSetupProposal } from '#domain/runs/setup-commands/save-setup-proposal.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'
import { makeHeldRun } from './make-run.ts'
import { makeUsage } from './make-usage.ts'
import { unique } from './make.ts'

const { mask } = openRedactor([])
const kernel = 'kernel' as const
const enforcement = { memory: kernel, cpu: kernel, processes: kernel, disk: kernel, network: kernel, kill: kernel }

export type MakeFullRun = Partial<CreateRun> & { word: string; blobs: BlobSink & ArchiveStore; steps?: number }

/** A run that has ended and has left something of each kind, with the word in every text of it. */
export async function makeFullRun(db: pg.Pool, { word, blobs, steps = 101, ...options }: MakeFullRun) {
  const { run, holder } = await makeHeldRun(db, { prompt: word, title: word, metadata: { word }, ...options })
  const { organizationId, runId } = holder
  const bytes = Buffer.from(`${word} ${unique('bytes')}`)
  const blob = await storeBlob(db, blobs, { organizationId, bytes })
  for (let n = 1; n <= steps; n++) {
    const { step } = await startStep(db, { holder, key: `s${n}`, kind: 'model', request: { word } })
    const usage = makeUsage({ inputTokens: 10, outputTokens: 5, costUsd: 0.01 })
    const entries = [{ messageType: 'PLAN_EVALUATION' as const, observation: word, thought: word }]
    await finishStep(db, { holder, step, response: { word }, entries, usage, mask })
  }
  await packLog(db, { organizationId, runId, entries: steps, blobs })
  await saveArtifact(db, { holder, name: `${word}.txt`, contentType: 'text/plain', blob })
  await recordBlobs(db, { organizationId, blobs: [blob], kind: 'checkpoints' })
  const checkpoint = { commit: word, baseCommits: [], branchCommit: null, ...blob }
  await saveCheckpoint(db, { holder, key: 's1', checkpoint })
  await intendEffect(db, { holder, key: 'push', kind: 'push', request: { word } })
  await createQuestion(db, { holder, key: 's1', kind: 'question', text: word, options: [word], mask })
  await recordEgress(db, { holder, requests: [{ name: `${word}.example`, port: 443, isAllowed: true, reason: null }] })
  const { sandboxId } = await startSandbox(db, { holder, provider: word, enforcement })
  const command = { command: word, startedAt: new Date(), durationMs: 1, exitCode: 0, reason: 'exited', output: word }
  await appendSandboxLog(db, { organizationId, sandboxId, commands: [{ n: 1, ...command, cutBytes: 0 }] })
  if (run.repoId !== null) {
    const proposal = { commands: [word], testCommand: word, notes: word, evidence: [], baseCommit: null, lockfiles: {} }
    await saveSetupProposal(db, { holder, repoId: run.repoId, ...proposal })
  }
  const image = await storeBlob(db, blobs, {
    organizationId,
    bytes: Buffer.from(`${word} ${unique('image')}`),
    kind: 'images',
  })
  await db.query(
    `insert into messages (organization_id, run_id, n, turn, body, images, taken_seq) values ($1, $2, 2, 1, $3, $4, 1)`,
    [organizationId, runId, word, JSON.stringify([{ sha256: image.sha256, media_type: 'image/png' }])],
  )
  await db.query(
    `insert into idempotency_keys (organization_id, digest, body_digest, answer, created_at, run_id) values ($1, $3, '', $4, now(), $2)`,
    [organizationId, runId, Buffer.from(unique('key')), word],
  )
  await finishTurn(db, {
    holder,
    end: { status: 'failed', error: { code: word, message: word, retryable: false } },
    entries: [],
    mask,
  })
  return { run, holder, blob, sandboxId, image, ids: { organizationId, runId } }
}
