import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization, makeSecretBox, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { listRunSecrets } from '#domain/runs/redaction/list-run-secrets.ts'
import { listSecrets } from './list-secrets.ts'
import { removeSecret } from './remove-secret.ts'
import { saveSecret } from './save-secret.ts'

const db = await testDb()
const box = makeSecretBox()
const page = { skip: 0, limit: 100 }

async function makeRepo(organizationId: number): Promise<number> {
  const { rows } = await db.query(
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  return rows[0].id
}

const save = (organizationId: number, name: string, value: string, repoId: number | null = null) =>
  saveSecret(db, box, { organizationId, repoId, name, value })

test('a run sees the secrets of its organization and of its repository, which come first', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const [repoId, otherId] = [await makeRepo(organizationId), await makeRepo(organizationId)]
  await save(organizationId, 'SHARED', 'of the organization')
  await save(organizationId, 'TOKEN', 'of the organization')
  await save(organizationId, 'TOKEN', 'of the repository', repoId)
  await save(organizationId, 'OTHER', 'of another repository', otherId)
  await db.query(`update repos set environment_secrets = '{TOKEN}' where id = $1`, [repoId])
  const run = await makeRun(db, { organizationId, userId, repoId })
  assert.deepEqual(await listRunSecrets(db, box, { organizationId, runId: run.id }), [
    { name: 'SHARED', value: 'of the organization', isEverywhere: false },
    { name: 'TOKEN', value: 'of the repository', isEverywhere: true },
  ])
})

test('a run without a repository sees those of its organization', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await save(organizationId, 'SHARED', 'of the organization')
  await save(organizationId, 'TOKEN', 'of the repository', await makeRepo(organizationId))
  const run = await makeRun(db, { organizationId, userId })
  const secrets = await listRunSecrets(db, box, { organizationId, runId: run.id })
  assert.deepEqual(secrets, [{ name: 'SHARED', value: 'of the organization', isEverywhere: false }])
})

test('a run sees no secret of another organization', async () => {
  const { id: organizationId } = await makeOrganization(db)
  await save(organizationId, 'SHARED', 'of another organization')
  const run = await makeRun(db)
  assert.deepEqual(await listRunSecrets(db, box, { organizationId: run.organizationId, runId: run.id }), [])
})

test('a value of any text comes back as it was', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const value = '-----BEGIN KEY-----\n"é\' $HOME `x` \\n \t 𝄞\r\n-----END KEY-----\n'
  await save(organizationId, 'KEY', value)
  const run = await makeRun(db, { organizationId, userId })
  const [secret] = await listRunSecrets(db, box, { organizationId, runId: run.id })
  assert.equal(secret?.value, value)
})

test('a value that is saved again replaces the one before, and says when', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const first = await save(organizationId, 'TOKEN', 'the first value')
  const second = await save(organizationId, 'TOKEN', 'the second value')
  assert.deepEqual(second.createdAt, first.createdAt)
  assert.ok(second.updatedAt > first.updatedAt)
  const { items, total } = await listSecrets(db, { organizationId, repoId: null, ...page })
  assert.deepEqual([items, total], [[second], 1])
  const run = await makeRun(db, { organizationId, userId })
  const secrets = await listRunSecrets(db, box, { organizationId, runId: run.id })
  assert.deepEqual(
    secrets.map(({ value }) => value),
    ['the second value'],
  )
})

test('of ten who save at once in a new organization, each is kept', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => save(organizationId, `TOKEN_${n}`, `a value of its own: ${n}`)),
  )
  const run = await makeRun(db, { organizationId, userId })
  const secrets = await listRunSecrets(db, box, { organizationId, runId: run.id })
  assert.deepEqual(
    secrets.map(({ value }) => value),
    Array.from({ length: 10 }, (_, n) => `a value of its own: ${n}`),
  )
})

test('a value that could not be taken out of logs is refused', async () => {
  const { id: organizationId } = await makeOrganization(db)
  for (const value of ['seven77', 'abababababababab', 'x'.repeat(limits.secretBytesMax) + 'abcde']) {
    await assert.rejects(save(organizationId, 'TOKEN', value), (error: AppError) => {
      assert.deepEqual([error.code, error.detail?.[0]?.loc], ['invalid_request', ['body', 'value']])
      assert.ok(!inspect(error).includes(value))
      return true
    })
  }
  // Counted in bytes: two characters of four.
  await save(organizationId, 'TOKEN', '😀🚀')
})

test('no more secrets are taken at one place than the limit, nor more than so many bytes', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const repoId = await makeRepo(organizationId)
  for (let n = 0; n < limits.secretsMax; n++) await save(organizationId, `S${n}`, `value number ${n}`)
  await assert.rejects(save(organizationId, 'ONE_MORE', 'value number 51'), { code: 'conflict' })
  await save(organizationId, 'S0', 'it may still be changed')
  const large = `abcde${'x'.repeat(limits.secretBytesMax - 5)}`
  for (let n = 0; n < 3; n++) await save(organizationId, `LARGE${n}`, large, repoId)
  await assert.rejects(save(organizationId, 'LARGE3', large, repoId), { code: 'conflict' })
  assert.equal((await listSecrets(db, { organizationId, repoId, ...page })).total, 3)
})

test('a secret that is removed is gone', async () => {
  const { id: organizationId } = await makeOrganization(db)
  await save(organizationId, 'TOKEN', 'to be removed')
  await removeSecret(db, { organizationId, repoId: null, name: 'TOKEN' })
  assert.equal((await listSecrets(db, { organizationId, repoId: null, ...page })).total, 0)
  await assert.rejects(removeSecret(db, { organizationId, repoId: null, name: 'TOKEN' }), { code: 'secret_not_found' })
})

test('nothing is kept with a repository of another organization', async () => {
  const [mine, other] = [await makeOrganization(db), await makeOrganization(db)]
  const repoId = await makeRepo(other.id)
  const place = { organizationId: mine.id, repoId }
  await assert.rejects(save(mine.id, 'TOKEN', 'of nobody else', repoId), { code: 'repo_not_found' })
  await assert.rejects(listSecrets(db, { ...place, ...page }), { code: 'repo_not_found' })
  await assert.rejects(removeSecret(db, { ...place, name: 'TOKEN' }), { code: 'repo_not_found' })
})

test('a value that is moved to another row of the database is not read there', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await save(organizationId, 'TOKEN', 'to be moved about')
  await db.query(`update secrets set name = 'MOVED' where organization_id = $1`, [organizationId])
  const run = await makeRun(db, { organizationId, userId })
  await assert.rejects(listRunSecrets(db, box, { organizationId, runId: run.id }), /MOVED .* was changed/)
})
