import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sweepAuditEntries } from '#domain/accounts/audit/sweep-audit-entries.ts'
import { rows } from '#db/pool.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeToken, makeUser, unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { auditRequest, isAudited } from './pipeline/audit-request.ts'
import { keepCaller } from './pipeline/caller.ts'
import { routes } from './routes/index.ts'

const { app, ask, member } = await testApp()
const me = await member()
const { organizationId, path, token } = me

type Entry = {
  action: string
  user_id: number
  credential_id: number
  address: string
  request_id: string
  named: object
  changed: object
  status: number | null
}
const list = async (query = '', who = me) => {
  const answer = await ask(`${who.path}/audit${query}`, { token: who.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as unknown as { items: Entry[]; total: number }
}
const newest = async () => (await list('?limit=1')).items[0] as Entry

test('a change of a member’s role is there with who made it, from where, what it was, and how it ended', async () => {
  const { id } = await makeUser(app.pool, { organizationId })
  const body = { role: 'MANAGER', github_username: 'grace', github_user_id: '12' }
  const answer = await ask(`${path}/members/${id}`, { method: 'PATCH', token, body })
  assert.equal(answer.status, 200)
  const { address, credential_id: credentialId, ...entry } = await newest()
  assert.match(address, /127\.0\.0\.1$/)
  assert.ok(credentialId > 0)
  assert.partialDeepStrictEqual(entry, {
    action: 'updateMember',
    user_id: me.userId,
    request_id: answer.headers.get('x-request-id'),
    named: { user_id: id },
    changed: { role: 'MANAGER', github_username: '…', github_user_id: '…' },
    status: 200,
  })
})

test('what somebody writes is never in it, however deep it stands', async () => {
  const canary = unique('canary-of-the-audit-log')
  await ask(`${path}/secrets/NAME`, { method: 'PUT', token, body: { value: canary } })
  assert.deepEqual([(await newest()).named, (await newest()).changed], [{ name: 'NAME' }, { value: '…' }])
  await ask(path, {
    method: 'PATCH',
    token,
    body: { name: canary, settings: { rules: canary, retention: { logs: 3 } } },
  })
  await ask(`${path}/tokens`, { method: 'POST', token, body: { name: canary, scopes: ['read'], [canary]: canary } })
  await ask(`${path}/repos`, { method: 'POST', token, body: { name: canary, import_from: canary } })
  const found = await rows(app.pool, 'select 1 from audit_entries where audit_entries::text like $1', [`%${canary}%`])
  assert.equal(found.length, 0)
})

test('a request that fails is there with its status; one that was not let in is not', async () => {
  await ask(`${path}/members/999999`, { method: 'PATCH', token, body: { role: 'ADMIN' } })
  assert.partialDeepStrictEqual(await newest(), { action: 'updateMember', status: 404 })
  const { total } = await list()
  const { id } = await makeUser(app.pool, { organizationId, role: 'MEMBER' })
  const weak = await makeToken(app.pool, app.tokenKeys, { organizationId, userId: id })
  const tried = await ask(`${path}/members/${id}`, { method: 'PATCH', token: weak, body: { role: 'ADMIN' } })
  assert.equal(tried.status, 403)
  assert.equal((await list()).total, total)
})

test('daily work is not in it, the deletion of a run is', async () => {
  const { total } = await list()
  const run = { prompt: 'Play', agent_type: 'scripted', metadata: { script: [{ answer: 'done' }] } }
  assert.equal((await ask(`${path}/agent/run`, { method: 'POST', token, body: run })).status, 200)
  assert.equal((await list()).total, total)
  const { ids } = await makeFullRun(app.pool, {
    word: 'word',
    blobs: app.blobs,
    steps: 1,
    organizationId,
    userId: me.userId,
  })
  await ask(`${path}/agent/run/${ids.runId}`, { method: 'DELETE', token })
  assert.partialDeepStrictEqual(await newest(), {
    action: 'deleteRun',
    named: { agent_run_id: ids.runId },
    changed: {},
    status: 204,
  })
})

test('it is read by an ADMIN alone, of their own organization alone, by who, what and when', async () => {
  const { id } = await makeUser(app.pool, { organizationId, role: 'MANAGER' })
  const manager = await makeToken(app.pool, app.tokenKeys, { organizationId, userId: id })
  assert.equal((await ask(`${path}/audit`, { token: manager })).status, 403)
  const other = await member()
  assert.equal((await list('', other)).total, 0)
  assert.equal((await ask(`${path}/audit`, { token: other.token })).status, 403)
  await ask(`${path}/secrets/MINE`, { method: 'PUT', token: manager, body: { value: 'a value of its own' } })
  const since = new Date(Date.now() + 1_000).toISOString()
  assert.deepEqual(
    (await list(`?user_id=${id}`)).items.map(({ action }) => action),
    ['saveSecret'],
  )
  assert.equal((await list('?action=saveSecret')).total, 2)
  assert.equal((await list(`?from=${since}`)).total, 0)
  assert.equal((await list(`?to=${since}`)).total, (await list()).total)
  assert.equal((await ask(`${path}/audit?from=2026-02-30T00:00:00Z`, { token })).status, 400)
})

test('a change of which nothing can be written down is not made; one whose end cannot be is made, and its entry is open', async () => {
  const route = routes.find(({ operationId }) => operationId === 'updateMember')!
  const warnings: string[] = []
  const log = { child: () => log, warn: (_: object, text: string) => void warnings.push(text) }
  const about = {
    params: { org_id: organizationId, user_id: 1 },
    body: {},
    ip: '::1',
    id: unique('request'),
    headers: {},
    raw: { headers: {} },
    log,
  }
  const request = about as never
  keepCaller(request, { userId: me.userId, credentialId: 1 } as never)
  /** The database, which is lost after this many connections. */
  const lostAfter = (connections: number) => {
    let left = connections
    const connect = () => (left-- > 0 ? app.pool.connect() : Promise.reject(new Error('no database')))
    return { pool: { connect } as never }
  }
  let times = 0
  const handle = async () => ++times
  await assert.rejects(auditRequest(lostAfter(0), { route, request }, handle), /no database/)
  assert.equal(times, 0)
  assert.equal(await auditRequest(lostAfter(1), { route, request }, handle), 1)
  assert.equal((await newest()).status, null)
  assert.match(warnings.join(), /has no status/)
  const fail = () => Promise.reject(new Error('a fault'))
  await assert.rejects(auditRequest(app, { route, request }, fail), /a fault/)
  assert.equal((await newest()).status, 500)
})

test('every request that changes something is written down, or is one of those that members make all day', () => {
  const changes = routes.filter(({ method, path: at }) => method !== 'GET' && at.includes(':org_id'))
  const daily = changes.filter((route) => !isAudited(route)).map(({ operationId }) => operationId)
  for (const name of daily) assert.doesNotMatch(name, /member|token|secret|integration|organization|provider|rules/i)
  assert.ok(daily.length < changes.length / 2, `${daily.length} of ${changes.length}`)
})

test('entries are kept for 400 days', async () => {
  await app.pool.query(`update audit_entries set at = now() - interval '401 days' where action = 'deleteRun'`)
  const { total } = await list()
  await sweepAuditEntries(app.pool)
  assert.equal((await list('?action=deleteRun')).total, 0)
  assert.equal((await list()).total, total - 1)
})

test('the actions by which the web UI filters are those that the audit log has entries of', () => {
  const file = `${import.meta.dirname}/../../../web/src/components/audit/audited-actions.ts`
  const list = readFileSync(file, 'utf8').match(/\[([^\]]*)\] as const/)?.[1] ?? ''
  const audited = routes.filter(isAudited).map(({ operationId }) => operationId)
  assert.deepEqual(list.match(/\w+/g), audited.toSorted())
})
