import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { Secret } from '#base/secrets/secret.ts'
import { one } from '#db/pool.ts'
import { createModelProvider } from '#domain/repos/model-providers/create-model-provider.ts'
import { removeModelProvider } from '#domain/repos/model-providers/remove-model-provider.ts'
import { saveMemberKey } from '#domain/repos/model-providers/save-member-key.ts'
import { updateModelProvider } from '#domain/repos/model-providers/update-model-provider.ts'
import { createBudget } from '#domain/runs/budgets/create-budget.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { updateRun } from '#domain/runs/runs/update-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, makeSecretBox, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { getSettings } from './get-settings.ts'

const db = await testDb()
const mask = openRedactor([]).mask

test('a run uses the model that it names, else those of its repository, else those of its organization', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const repo = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const place = { organizationId, userId, repoId: repo.id }
  const { holder } = await makeHeldRun(db, place)
  const modelsOf = async (of = holder) => (await getSettings(db, of)).models
  assert.deepEqual(await modelsOf(), [])
  await db.query(`update organizations set default_models = '{theirs,other}' where id = $1`, [organizationId])
  assert.deepEqual(await modelsOf(), ['theirs', 'other'])
  await db.query(`update repos set default_models = '{its,theirs}' where id = $1`, [repo.id])
  assert.deepEqual(await modelsOf(), ['its', 'theirs'])
  const naming = await makeHeldRun(db, { ...place, model: 'own' })
  assert.deepEqual(await modelsOf(naming.holder), ['own'])
})

test('a run’s effort comes before that of its repository and its organization', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const repo = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const place = { organizationId, userId, repoId: repo.id }
  const { holder } = await makeHeldRun(db, place)
  const effortOf = async (of = holder) => (await getSettings(db, of)).effort
  assert.equal(await effortOf(), null)
  await db.query(`update organizations set default_effort = 'low' where id = $1`, [organizationId])
  assert.equal(await effortOf(), 'low')
  await db.query(`update repos set default_effort = 'none' where id = $1`, [repo.id])
  assert.equal(await effortOf(), 'none')
  const choosing = await makeHeldRun(db, { ...place, effort: 'high', maxModelCalls: 7 })
  const { effort, maxModelCalls } = await getSettings(db, choosing.holder)
  assert.deepEqual([effort, maxModelCalls], ['high', 7])
})

test('whether a limit in money applies to a run: its own, or a budget of its organization', async () => {
  const { run, holder } = await makeHeldRun(db)
  const { organizationId } = run
  const isLimited = async () => (await getSettings(db, holder)).isLimited
  assert.equal(await isLimited(), false)
  const ids = { organizationId, runId: run.id }
  await updateRun(db, { ...ids, changes: { maxCostUsd: 1 } })
  assert.equal(await isLimited(), true)
  await updateRun(db, { ...ids, changes: { maxCostUsd: null } })
  assert.equal(await isLimited(), false)
  await createBudget(db, { organizationId, userId: null, repoId: null, period: 'day', limitUsd: 5 })
  assert.equal(await isLimited(), true)
})

test('whether somebody has said something that no turn has taken', async () => {
  const { run, holder } = await makeHeldRun(db)
  const hasMessages = async () => (await getSettings(db, holder)).hasMessages
  const take = () =>
    takeMessages(db, { holder, mask, blobs: { put: () => Promise.reject(new Error('no image was said')) } })
  assert.equal((await take()).length > 0, true)
  assert.equal(await hasMessages(), false)
  await resumeRun(db, { organizationId: run.organizationId, runId: run.id, userId: run.userId, prompt: 'Use tabs' })
  assert.equal(await hasMessages(), true)
  assert.equal((await take()).length, 1)
  assert.equal(await hasMessages(), false)
})

test('each change of a model provider gives another version of them', async () => {
  const { run, holder } = await makeHeldRun(db)
  const { organizationId } = run
  const box = makeSecretBox()
  const versions = [(await getSettings(db, holder)).providersVersion]
  const look = async () => void versions.push((await getSettings(db, holder)).providersVersion)
  const provider = {
    name: 'own',
    kind: 'openai_chat' as const,
    baseUrl: null,
    memberKeysOnly: false,
    models: null,
    inputUsd: null,
    outputUsd: null,
  }
  const { id } = await createModelProvider(db, box, {
    organizationId,
    key: new Secret('a-key-0123456789'),
    ...provider,
  })
  await look()
  await updateModelProvider(db, box, {
    organizationId,
    modelProviderId: id,
    from: null,
    changes: { key: new Secret('another-key-0123456789') },
  })
  await look()
  const key = new Secret('key-of-a-member-0123')
  await saveMemberKey(db, box, { organizationId, modelProviderId: id, userId: run.userId!, key, baseUrl: null })
  await look()
  await removeModelProvider(db, { organizationId, modelProviderId: id })
  await look()
  assert.equal(new Set(versions).size, 5)
  await look()
  assert.equal(new Set(versions).size, 5)
})
