import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { openSecretKey } from '#base/secrets/secret-key.ts'
import { Secret } from '#base/secrets/secret.ts'
import { one } from '#db/pool.ts'
import { TenantDb } from '#db/tenant-db.ts'
import { deleteOrganization } from '#domain/accounts/deletions/delete-organization.ts'
import { countStaleTokens } from '#domain/accounts/tokens/count-stale-tokens.ts'
import { openTokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { claimRun } from '#domain/runs/runs/claim-run.ts'
import { makeOrganization, makeTokenKeys } from '#test/make.ts'
import { makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { createWorkerToken } from './create-worker-token.ts'
import { findWorkerGrant } from './find-worker-grant.ts'
import { listGoodWorkerTokens } from './list-good-worker-tokens.ts'
import { listWorkerTokens } from './list-worker-tokens.ts'
import { revokeWorkerToken } from './revoke-worker-token.ts'
import { workerTokensMax } from './worker-token.ts'

const db = await testDb()
const keys = makeTokenKeys({ clock: systemClock })
const wish = { organizationId: null, name: 'rack 4', labels: null, createdBy: null, expiresAt: null }
const create = (options: Partial<Parameters<typeof createWorkerToken>[2]> = {}) =>
  createWorkerToken(db, keys, { ...wish, ...options })

test('a token is worth what it was made for, and the database holds nothing that could be shown', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const { token, secret } = await create({ organizationId, labels: ['gpu', 'far', 'gpu'] })
  assert.match(secret, /^rww_[0-9A-Za-z]{36}$/)
  assert.deepEqual(await findWorkerGrant(db, keys, secret), {
    tokenId: token.id,
    organizationId,
    labels: ['far', 'gpu'],
  })
  const { secret: forAll } = await create()
  assert.partialDeepStrictEqual(await findWorkerGrant(db, keys, forAll), { organizationId: null, labels: null })
  const { text } = await one<{ text: string }>(db, `select string_agg(t::text, ' ') as text from worker_tokens t`)
  assert.ok(text.includes('rack 4') && !text.includes(secret.slice(8)) && !text.includes(forAll.slice(8)))
  for (const wrong of ['', secret.slice(0, -1), secret.replace('rww_', 'rw_'), `${secret}0`, secret.toLowerCase()])
    assert.equal(await findWorkerGrant(db, keys, wrong), undefined)
})

test('one that is revoked or has expired is good no more, and whose organization was deleted', async () => {
  const { id: organizationId, name: confirm } = await makeOrganization(db)
  const [revoked, expired, left] = [await create(), await create(), await create({ organizationId })]
  await revokeWorkerToken(db, { organizationId: null, tokenId: revoked.token.id })
  await db.query('update worker_tokens set expires_at = now() where id = $1', [expired.token.id])
  const tokenIds = [revoked, expired, left].map(({ token }) => token.id)
  assert.deepEqual([...(await listGoodWorkerTokens(db, { tokenIds }))], [left.token.id])
  await deleteOrganization(db, keys, { organizationId, confirm })
  assert.equal((await listGoodWorkerTokens(db, { tokenIds })).size, 0)
  for (const { secret } of [revoked, expired, left]) assert.equal(await findWorkerGrant(db, keys, secret), undefined)
})

test('an organization lists and revokes its own alone, each with who is connected', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  const { token } = await create({ organizationId: ours.id, createdBy: ours.adminId })
  await create({ organizationId: theirs.id })
  await makeRun(db, { organizationId: ours.id, userId: ours.adminId })
  await using worker = await registerTestWorker(db.url, {
    name: 'rack-4-1',
    organizationId: ours.id,
    tokenId: token.id,
  })
  assert.ok(await claimRun(db, { ...worker, organizationId: ours.id }))
  const tenant = new TenantDb(db, ours.id)
  const page = { organizationId: ours.id, skip: 0, limit: 10 }
  assert.partialDeepStrictEqual(await listWorkerTokens(tenant, page), {
    total: 1,
    items: [{ id: token.id, workers: [{ name: 'rack-4-1', slots: 4, runs: 1, isFit: true }] }],
  })
  const asThem = new TenantDb(db, theirs.id)
  for (const organizationId of [theirs.id, ours.id, null])
    await assert.rejects(revokeWorkerToken(asThem, { organizationId, tokenId: token.id }), {
      code: 'worker_token_not_found',
    })
  await assert.rejects(revokeWorkerToken(db, { organizationId: null, tokenId: token.id }), {
    code: 'worker_token_not_found',
  })
  await revokeWorkerToken(tenant, { organizationId: ours.id, tokenId: token.id })
  assert.equal((await listWorkerTokens(tenant, page)).total, 0)
})

test('when the secret key is changed, a token goes on and is digested anew as it is used', async () => {
  const key = (secretKey: string) => openSecretKey({ secretKey: new Secret(secretKey), dataDir: '/nowhere' })
  const before = openTokenKeys({ key: key('the key before'), previous: null, next: null }, systemClock)
  const now = { key: key('the key of now'), next: null }
  const [stale, { secret }] = [await countStaleTokens(db, before), await createWorkerToken(db, before, wish)]
  assert.equal(await countStaleTokens(db, before), stale)
  const changing = openTokenKeys({ ...now, previous: key('the key before') }, systemClock)
  const counted = await countStaleTokens(db, changing)
  assert.ok(await findWorkerGrant(db, changing, secret))
  assert.equal(await countStaleTokens(db, changing), counted - 1)
  assert.ok(await findWorkerGrant(db, openTokenKeys({ ...now, previous: null }, systemClock), secret))
})

test('an organization has so many at most, also of those who make them at once', async () => {
  const { id: organizationId } = await makeOrganization(db)
  for (let n = 2; n < workerTokensMax; n++) await create({ organizationId })
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => create({ organizationId })))
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 2)
  await assert.rejects(create({ organizationId: 1_000_000 }), { code: 'organization_not_found' })
})
