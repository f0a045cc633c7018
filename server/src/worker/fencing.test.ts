import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { noHooks } from '#base/hooks.ts'
import type pg from 'pg'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one, rows } from '#db/pool.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { recordBlobs } from '#domain/runs/blobs/record-blobs.ts'
import { holdSpentRun } from '#domain/runs/budgets/hold-spent-run.ts'
import { forgetCheckpoints } from '#domain/runs/checkpoints/forget-checkpoints.ts'
import { renewCheckpoint } from '#domain/runs/checkpoints/renew-checkpoint.ts'
import { saveCheckpoint } from '#domain/runs/checkpoints/save-checkpoint.ts'
import { recordCanary } from '#domain/runs/events/record-canary.ts'
import { intendAgentPush } from '#domain/runs/effects/intend-agent-push.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { agreeOnBase } from '#domain/hosts/comparisons/agree-on-base.ts'
import { settlePush } from '#domain/hosts/pulls/settle-push.ts'
import { recordSigned } from '#domain/runs/effects/record-signed.ts'
import { settleEffect } from '#domain/runs/effects/settle-effect.ts'
import { recordEnvironment } from '#domain/runs/runs/record-environment.ts'
import { startModelCall } from '#domain/runs/model-calls/start-model-call.ts'
import { createMessage } from '#domain/runs/messages/create-message.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { createQuestion } from '#domain/runs/questions/create-question.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { recordBranch } from '#domain/runs/runs/record-branch.ts'
import { recordHostWait } from '#domain/runs/runs/record-host-wait.ts'
import { recordNodeFault } from '#domain/runs/runs/record-node-fault.ts'
import { recordLinks } from '#domain/runs/runs/record-links.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import { recordRunWait } from '#domain/runs/runs/record-run-wait.ts'
import { startChildRun } from '#domain/runs/runs/start-child-run.ts'
import { updateStatusDetail } from '#domain/runs/runs/update-status-detail.ts'
import { saveSetupProposal } from '#domain/runs/setup-commands/save-setup-proposal.ts'
import { startSandbox } from '#domain/runs/sandboxes/start-sandbox.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { stillHeld } from '#domain/runs/runs/still-held.ts'

const db = await testDb()
const mask = openRedactor([]).mask
const entries = [{ messageType: 'ERROR' as const, observation: 'from the past' }]
const blob = { sha256: '0'.repeat(64), bytes: 1 }
const checkpoint = { commit: 'c', baseCommits: [], branchCommit: null, sha256: blob.sha256, bytes: 1 }
const error = { code: 'x', message: 'x', retryable: false }
const kernel = 'kernel' as const
const enforcement = { memory: kernel, cpu: kernel, processes: kernel, disk: kernel, network: kernel, kill: kernel }

const wish = {
  model: { provider: 'openai' as const, id: 'm' },
  prices: [],
  inputTokens: 1,
  inputTokensMax: 1,
  outputTokens: 1,
  answers: 1,
}
const environment = {
  setupCommands: [],
  checks: [],
  egress: { allow: [], presets: [] },
  push: null,
  hooks: noHooks,
  hookProblems: [],
  problems: [],
}

type Scene = { holder: Holder; step: number; repoId: number }
type Verb = (scene: Scene) => Promise<unknown>

/** Every verb by which a worker writes, and what it would write. */
const verbs: Record<string, Verb> = {
  startStep: ({ holder }) => startStep(db, { holder, key: 'new', kind: 'tool', request: {} }),
  'startStep, again': ({ holder }) => startStep(db, { holder, key: 'begun', kind: 'tool', request: {} }),
  finishStep: ({ holder, step }) => finishStep(db, { holder, step, response: 'late', entries, mask }),
  takeMessages: ({ holder }) => takeMessages(db, { holder, mask, blobs: { put: async () => blob } }),
  recordLinks: ({ holder }) => recordLinks(db, { holder, publicUrl: '', mask }),
  agreeOnBase: ({ holder }) => agreeOnBase(db, { holder, baseCommit: 'c' }),
  recordBranch: ({ holder }) => recordBranch(db, { holder, branch: 'b', baseBranch: 'main', baseCommit: null }),
  updateStatusDetail: ({ holder }) => updateStatusDetail(db, holder, 'working'),
  intendEffect: ({ holder }) => intendEffect(db, { holder, key: 'new', kind: 'push', request: {} }),
  'intendEffect, again': ({ holder }) => intendEffect(db, { holder, key: 'begun', kind: 'push', request: {} }),
  intendAgentPush: ({ holder }) => intendAgentPush(db, { holder, branch: 'b', commit: 'c', expected: null }),
  holdSpentRun: ({ holder }) => holdSpentRun(db, holder),
  recordEnvironment: ({ holder }) => recordEnvironment(db, { holder, commit: 'c', environment }),
  recordCanary: ({ holder }) => recordCanary(db, { holder, name: 'CANARY' }),
  saveSetupProposal: ({ holder, repoId }) =>
    saveSetupProposal(db, {
      holder,
      repoId,
      commands: ['c'],
      testCommand: null,
      notes: '',
      evidence: [],
      baseCommit: null,
      lockfiles: {},
    }),
  recordSigned: ({ holder }) => recordSigned(db, { holder, key: 'begun', commit: 'c' }),
  settleEffect: ({ holder }) =>
    settleEffect(db, {
      holder,
      key: 'begun',
      state: 'done',
      result: {},
      entries: [],
      mask,
      pushed: { commit: 'c' },
    }),
  settlePush: ({ holder, repoId }) =>
    settlePush(db, {
      holder,
      key: 'begun',
      result: {},
      entries: [],
      mask,
      pushed: { repoId, branch: 'b', commit: 'c' },
    }),
  startModelCall: ({ holder }) => startModelCall(db, { holder, key: 'new', wish }),
  startSandbox: ({ holder }) => startSandbox(db, { holder, provider: 'p', enforcement }),
  openPull: ({ holder, repoId }) =>
    openPull(db, {
      ...holder,
      repoId,
      title: 't',
      body: 'b',
      headBranch: 'b',
      baseBranch: 'main',
      headCommit: 'c',
      publicUrl: '',
    }),
  createQuestion: ({ holder }) =>
    createQuestion(db, { holder, key: 'begun', kind: 'question', text: 'Really?', options: [], mask }),
  saveArtifact: ({ holder }) => saveArtifact(db, { holder, name: 'a', contentType: 'text/plain', blob }),
  saveCheckpoint: ({ holder }) => saveCheckpoint(db, { holder, key: 'begun', checkpoint }),
  renewCheckpoint: ({ holder }) => renewCheckpoint(db, { holder, key: 'begun' }),
  forgetCheckpoints: ({ holder }) => forgetCheckpoints(db, holder),
  finishTurn: ({ holder }) => finishTurn(db, { holder, end: { status: 'failed', error }, entries, mask }),
  recordHostWait: ({ holder }) => recordHostWait(db, { holder, ...hostWait }),
  recordRunWait: ({ holder }) =>
    recordRunWait(db, { holder, key: 'begun', runIds: [1], waitMs: 1_000, now: new Date() }),
  startChildRun: ({ holder }) =>
    startChildRun(db, { holder, key: 'begun', prompt: 'Help', title: null, repository: null }),
  recordNodeFault: ({ holder }) => recordNodeFault(db, holder),
  releaseRun: ({ holder }) => releaseRun(db, { ...holder, isLost: false, mask }),
}

const hostWait = {
  refused: { for: 'deliver' as const, code: 'unavailable', message: 'Away' },
  patienceMs: 1_000,
  retryInMs: undefined,
  now: new Date(),
}

/** A run with something for each verb to write. */
async function setScene(): Promise<Scene> {
  const parent = await makeRun(db)
  const { organizationId, userId } = parent
  const { holder, run } = await makeHeldRun(db, { organizationId, userId: userId!, parentRunId: parent.id })
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'shop', 'x', 'main') returning id`,
    [organizationId],
  )
  await recordBlobs(db, { organizationId, blobs: [blob] })
  const { step } = await startStep(db, { holder, key: 'begun', kind: 'tool', request: {} })
  await intendEffect(db, { holder, key: 'begun', kind: 'push', request: {} })
  await createMessage(db, { organizationId, runId: run.id, userId: userId!, prompt: 'And this', images: [] })
  await db.query(
    `with k as (insert into comparisons (organization_id, user_id, title, prompt, judges) values ($1, $2, 't', 'p', '[]') returning id)
     insert into contestants (organization_id, comparison_id, n, run_id, name) select $1, id, 1, $3, 'c' from k`,
    [organizationId, userId, run.id],
  )
  return { holder, step, repoId }
}

/** All rows of the organization, as text. */
async function readAll({ holder: { organizationId } }: Scene): Promise<string> {
  const tables = await rows<{ name: string }>(
    db,
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const texts = tables.map(async ({ name }) => {
    const found = await rows<{ row: string }>(
      db,
      `select t::text as row from ${name} t where organization_id = $1 order by 1`,
      [organizationId],
    )
    return `${name}: ${found.map(({ row }) => row).join('\n')}`
  })
  return (await Promise.all(texts)).join('\n')
}

const takeAway = ({ holder }: Scene) =>
  db.query('update run_heads set lease_id = $3 where organization_id = $1 and run_id = $2', [
    holder.organizationId,
    holder.runId,
    randomUUID(),
  ])

for (const [name, verb] of Object.entries(verbs)) {
  test(`a worker that was overtaken writes nothing: ${name}`, async () => {
    const scene = await setScene()
    await takeAway(scene)
    const before = await readAll(scene)
    const failure = await verb(scene).then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.ok(failure === undefined || failure instanceof LeaseLost, String(failure))
    assert.equal(await readAll(scene), before)
  })
}

/** Of a scene where there is nothing to do for them. */
const changeNothing = new Set([
  'renewCheckpoint',
  'forgetCheckpoints',
  'intendEffect, again',
  'startStep, again',
  'holdSpentRun',
])

test('with its lease each of them writes', async () => {
  for (const [name, verb] of Object.entries(verbs)) {
    if (changeNothing.has(name)) continue
    const scene = await setScene()
    const before = await readAll(scene)
    await verb(scene)
    assert.notEqual(await readAll(scene), before, name)
  }
})

test('an answer about the lease that took too long is asked for again', async () => {
  const scene = await setScene()
  let asked = 0
  const frozen = new Proxy(db, {
    get: (target, key) =>
      key === 'query'
        ? async (...query: [pg.QueryConfig]) => {
            const answer = await db.query(...query)
            if (++asked > 1) return answer
            await takeAway(scene)
            await new Promise((resolve) => setTimeout(resolve, 1_100))
            return answer
          }
        : Reflect.get(target, key),
  })
  assert.equal(await stillHeld(frozen, scene.holder), false)
  assert.equal(asked, 2)
})

/** What else a worker uses of domain for a run: besides what only reads, nothing that is the run's own. */
const others = new Set(
  `startPolls sweepDeliveries appendSandboxLog comparisonOf placeComments asReviewComment pullAnswerSchema commitsAnswerSchema reviewMarker saveReview
   commitOf problemText snapshotFolderName claimSnapshot finishSnapshot releaseSnapshot renewSnapshot removeSnapshot sweepSnapshots hashLockfiles markSetupOutdated webUrl gitUrl branchName privateRepositoryPath privateRepositoryName pushKey keepLongTexts compileOutputSchema describeRefusal finishSandbox cleanJson inspectObject unpackAllowance LogRefused LeaseLost PauseWanted recordBlobs
   storeBlob openNotifier claimRun queueDueRuns forgetQueuedLabels sumQueueChanges hasQueuedRuns leadService wakeWorkers releaseStrayRuns openWorkerSession registerWorker unregisterWorker reportHealth nodeFaults renewWorkers drainWorker sweepWorkers markUnserved whileElsewhere
   onlyReads finishHostEvent sweepHostEvents sweepMerges
   adoptWork sweepJobs releaseLostJobs advanceFixer recordReported recordSeenChecks startFixer wakeFixers diagnoseCheck pullKey
   pullSettingsOf queueChecks cancelUnwantedChecks unwantedSummary finishCheck releaseCheck startCheckSandbox snapshotKey
   mayCollect applyRetention archiveLogs emptyDeletions emptyRepos emptyOrganizations answerKey claimLook lookAgain lookAtMirrors requireRoom whyNotTaken correctGitBytes finishModelCall makePartitions packLog pruneEvents readTarget wakeWaitingRuns pullUrl sweepAuditEntries claimInstall renewInstall finishInstall reportInstalls installRenewMs sweepNotifications sweepOutsideSessions sweepBlobs sweepCheckpoints sweepGitTokens sweepIdempotencyKeys sweepSessions sweepStreamTickets`.split(
    /\s+/,
  ),
)
const onlyReads = /^(get|list|find|is|has|still)[A-Z]/

/** What is done of no run: each piece has a claim of its own, with its own tests. */
const isHostWork = /^(?:checks|hosts|jobs)\//

test('no verb that a worker uses is left out here', () => {
  const all = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
  const files = all.filter((file) => !isHostWork.test(file))
  const known = new Set([...others, ...Object.keys(verbs)])
  for (const file of files) {
    const source = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    for (const [, names = ''] of source.matchAll(/^import \{([^}]*)\} from '#domain\//gm)) {
      const imported = names.split(',').map((name) => name.trim().replace(/ as .*/, ''))
      const verbsOf = imported.filter((name) => name && !name.startsWith('type '))
      for (const name of verbsOf)
        assert.ok(onlyReads.test(name) || known.has(name), `${file} uses ${name}: say here how it is fenced`)
    }
  }
})
