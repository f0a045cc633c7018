import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '#db/pool.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { getSettings } from './get-settings.ts'

const db = await testDb()

test('a run uses the model that it names, else the first of its repository, else the first of its organization', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const repo = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const place = { organizationId, userId, repoId: repo.id }
  const { holder } = await makeHeldRun(db, place)
  const modelOf = async (of = holder) => (await getSettings(db, of)).model
  assert.equal(await modelOf(), null)
  await db.query(`update organizations set default_models = '{theirs,other}' where id = $1`, [organizationId])
  assert.equal(await modelOf(), 'theirs')
  await db.query(`update repos set default_models = '{its,theirs}' where id = $1`, [repo.id])
  assert.equal(await modelOf(), 'its')
  const naming = await makeHeldRun(db, { ...place, model: 'own' })
  assert.equal(await modelOf(naming.holder), 'own')
})
