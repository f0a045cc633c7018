import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { App } from '#app/app.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { one, rows } from '#db/pool.ts'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import { unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { workOff } from '#test/work-off.ts'

const testing = await testApp()
const { app } = testing
const db = app.pool
const worker = app as unknown as App

/** A connected repository, and what sends to the address of its integration. */
async function connect() {
  const { organizationId, userId } = await testing.member()
  const { id: integrationId, key } = await createIntegration(db, app.secretBox, {
    organizationId,
    kind: 'github',
    baseUrl: null,
    appId: 1,
    installationId: 2,
    account: 'acme',
    bot: { id: '99', login: 'runwright[bot]' },
    credentials: { privateKey: 'none', webhookSecrets: ['new secret', 'old secret'] },
    userId,
  })
  const hostRepoId = String(Math.floor(Math.random() * 1e9))
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch, integration_id, host_repo_id)
     values ($1, 'github', $2, $3, 'main', $4, $5) returning id`,
    [organizationId, `acme/${unique('web')}`, unique('path'), integrationId, hostRepoId],
  )
  const repository = { id: Number(hostRepoId) }
  return {
    organizationId,
    integrationId,
    key,
    repoId,
    commentOf: (id: number, repo = repository) => commentOf(id, repo),
    events: () =>
      rows<{ subject: string; key: string }>(
        db,
        'select subject, key from host_events where repo_id = $1 order by id',
        [repoId],
      ),
    deliveries: () =>
      rows<{ outcome: string | null; body: Buffer | null }>(
        db,
        'select outcome, body from webhook_deliveries where organization_id = $1 order by id',
        [organizationId],
      ),
  }
}

function commentOf(id: number, repository: object): string {
  const user = { id: 5, login: 'ada', type: 'User' }
  const comment = { id, body: '@runwright go', html_url: 'https://x', user, created_at: '2026-11-21T22:00:00Z' }
  return JSON.stringify({ action: 'created', issue: { number: 7 }, comment, repository, sender: user })
}

type Send = {
  body: string | Buffer
  secret?: string
  delivery?: string
  event?: string
  headers?: Record<string, string>
}

async function send(
  key: string,
  { body, secret = 'new secret', delivery = randomUUID(), event = 'issue_comment', headers }: Send,
) {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const response = await fetch(`${testing.url}/webhooks/${key}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${signature}`,
      'x-github-delivery': delivery,
      'x-github-event': event,
      ...headers,
    },
  })
  return { status: response.status, text: await response.text() }
}

const readAll = () => workOff(worker, { kinds: ['delivery'] })

test('what a host sends is answered at once, and read later', async () => {
  const { key, commentOf, events, deliveries } = await connect()
  assert.deepEqual(await send(key, { body: commentOf(1) }), { status: 202, text: '' })
  assert.deepEqual(await send(key, { body: commentOf(2), secret: 'old secret' }), { status: 202, text: '' })
  assert.deepEqual(await events(), [])
  await readAll()
  // Both are read at once.
  const keys = (await events()).toSorted((one, other) => one.key.localeCompare(other.key))
  assert.deepEqual(keys, [
    { subject: 'issue:7', key: 'comment:issue_comment:1' },
    { subject: 'issue:7', key: 'comment:issue_comment:2' },
  ])
  assert.deepEqual(
    (await deliveries()).map(({ body }) => body),
    [null, null],
  )
})

test('what nobody we know has signed is refused, and nothing of it is kept', async () => {
  const { key, commentOf, deliveries } = await connect()
  const body = commentOf(1)
  assert.equal((await send(key, { body, secret: 'a guess' })).status, 401)
  assert.equal((await send(key, { body, headers: { 'x-hub-signature-256': '' } })).status, 401)
  const signed = createHmac('sha256', 'new secret').update(body).digest('hex')
  const forged = { 'x-hub-signature-256': `sha256=${signed}` }
  assert.equal((await send(key, { body: commentOf(2), headers: forged })).status, 401)
  assert.deepEqual(await deliveries(), [])
})

test('an address that is nobody’s, or of a connection that is off, is not found', async () => {
  const { key, organizationId, integrationId, commentOf, deliveries } = await connect()
  for (const unknown of ['nobody', '%00', 'x'.repeat(2_000)])
    assert.equal((await send(unknown, { body: commentOf(1) })).status, 404, unknown)
  await db.query('update integrations set active = false where organization_id = $1 and id = $2', [
    organizationId,
    integrationId,
  ])
  assert.equal((await send(key, { body: commentOf(1) })).status, 404)
  assert.deepEqual(await deliveries(), [])
})

test('another method is refused, and so is a body that is too large', async () => {
  const { key } = await connect()
  assert.equal((await fetch(`${testing.url}/webhooks/${key}`)).status, 405)
  const body = Buffer.alloc(hostLimits.webhookBytesMax + 1, ' ')
  assert.equal((await send(key, { body }).catch(() => ({ status: 413 }))).status, 413)
})

test('1,000 deliveries, each sent 1 to 5 times in any order, happen once each', async () => {
  const { key, commentOf, events } = await connect()
  const sendings = Array.from({ length: 1_000 }, (_, id) => ({ body: commentOf(id), delivery: randomUUID() })).flatMap(
    (delivery) => Array.from({ length: 1 + Math.floor(Math.random() * 5) }, () => delivery),
  )
  sendings.sort(() => Math.random() - 0.5)
  const statuses = new Set<number>()
  const next = async (): Promise<void> => {
    for (let sending = sendings.pop(); sending; sending = sendings.pop())
      statuses.add((await send(key, sending)).status)
  }
  await Promise.all([...Array.from({ length: 16 }, next), readAll()])
  await Promise.all([readAll(), readAll()])
  assert.deepEqual([...statuses], [202])
  const keys = (await events()).map((event) => event.key)
  assert.equal(keys.length, 1_000)
  assert.equal(new Set(keys).size, 1_000)
})

test('the same comment that another delivery tells of is the same', async () => {
  const { key, commentOf, events } = await connect()
  await send(key, { body: commentOf(1) })
  await send(key, { body: commentOf(1) })
  await readAll()
  assert.equal((await events()).length, 1)
})

test('what GitHub sends as a form, which is its default, is read like JSON', async () => {
  const { key, commentOf, events } = await connect()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = (id: number) => new URLSearchParams({ payload: commentOf(id) }).toString()
  assert.equal((await send(key, { body: form(1), headers })).status, 202)
  const withCharset = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  assert.equal((await send(key, { body: form(2), headers: withCharset })).status, 202)
  assert.equal((await send(key, { body: form(3), headers, secret: 'a guess' })).status, 401)
  await readAll()
  assert.deepEqual((await events()).map((event) => event.key).toSorted(), [
    'comment:issue_comment:1',
    'comment:issue_comment:2',
  ])
})

test('a body that is neither JSON nor such a form is refused with the reason, and nothing of it is kept', async () => {
  const { key, commentOf, deliveries } = await connect()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const unreadable of [
    { body: 'no JSON at all' },
    { body: '"a text"' },
    { body: '[]' },
    { body: '', event: 'push', headers: { 'content-type': 'text/plain' } },
    { body: commentOf(1), headers: form },
    { body: 'payload=no+JSON', headers: form },
    { body: 'load=%7B%7D', headers: form },
    { body: `payload=${'x'.repeat(2 * 1024 * 1024)}`, headers: form },
    { body: 'x'.repeat(2 * 1024 * 1024) },
  ]) {
    const { status, text } = await send(key, unreadable)
    assert.equal(status, 400, unreadable.body.slice(0, 50))
    assert.match(text, /cannot be read: choose the content type application\/json/)
  }
  assert.deepEqual(await deliveries(), [])
})

test('what does not matter, cannot be read or is of a repository that is not connected is taken and left alone', async () => {
  const { key, commentOf, events, deliveries } = await connect()
  assert.equal((await send(key, { body: '{"zen": "x"}', event: 'ping' })).status, 202)
  assert.equal((await send(key, { body: '{"action": "created"}' })).status, 202)
  assert.equal((await send(key, { body: commentOf(1, { id: 4 }) })).status, 202)
  assert.equal((await send(key, { body: '{}', event: 'push', headers: { 'content-type': 'text/plain' } })).status, 202)
  await readAll()
  assert.deepEqual(await events(), [])
  assert.deepEqual(
    (await deliveries()).map(({ outcome }) => outcome),
    ['ignored', 'cannot be read', null, 'cannot be read'],
  )
})

test("another organization's repository of the same number on the host hears nothing", async () => {
  const mine = await connect()
  const other = await connect()
  await db.query('update repos set host_repo_id = (select host_repo_id from repos where id = $1) where id = $2', [
    mine.repoId,
    other.repoId,
  ])
  await send(mine.key, { body: mine.commentOf(1) })
  await readAll()
  assert.equal((await mine.events()).length, 1)
  assert.deepEqual(await other.events(), [])
})

test('news of repositories has them listed anew', async () => {
  const { key, organizationId, integrationId } = await connect()
  const listings = () =>
    rows(db, `select ref from jobs where organization_id = $1 and kind = 'sync' and due_at <= now()`, [organizationId])
  await db.query(`update jobs set due_at = now() + interval '1 day' where organization_id = $1`, [organizationId])
  await send(key, { body: '{"action": "added"}', event: 'installation_repositories' })
  await readAll()
  assert.deepEqual(await listings(), [{ ref: String(integrationId) }])
})
