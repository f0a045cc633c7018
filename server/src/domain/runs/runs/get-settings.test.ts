import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '#db/pool.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { getSettings } from './get-settings.ts'

const db = await testDb()

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
