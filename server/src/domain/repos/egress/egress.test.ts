import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { noHooks } from '#base/hooks.ts'
import { limits } from '#base/limits.ts'
import { recordEnvironment } from '#domain/runs/runs/record-environment.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import type { EgressRequest } from './egress.ts'
import { finishEgress } from '#domain/runs/egress/finish-egress.ts'
import { getEgress } from './get-egress.ts'
import { listEgress } from '#domain/runs/egress/list-egress.ts'
import { listRules } from '#domain/runs/egress/list-rules.ts'
import { listRefusals } from '#domain/runs/egress/list-refusals.ts'
import { recordEgress } from '#domain/runs/egress/record-egress.ts'
import { checkRules, parseRule, ruleText, type Rule } from './rule.ts'
import { saveEgress } from './save-egress.ts'

const db = await testDb()
const rulesOf = (...texts: string[]) => texts.map((text) => parseRule(text) as Rule)
const asked = (options: Partial<EgressRequest> = {}): EgressRequest => ({
  name: 'example.com',
  port: 443,
  isAllowed: true,
  reason: null,
  ...options,
})

test('a name is allowed as it is written, at the ports of the web', () => {
  const rules = rulesOf('Example.COM', 'registry.example:8443')
  assert.equal(checkRules(rules, { name: 'example.com', port: 443 }), 'allowed')
  assert.equal(checkRules(rules, { name: 'example.com', port: 80 }), 'allowed')
  assert.equal(checkRules(rules, { name: 'example.com', port: 22 }), 'port_not_allowed')
  assert.equal(checkRules(rules, { name: 'registry.example', port: 8443 }), 'allowed')
  assert.equal(checkRules(rules, { name: 'registry.example', port: 443 }), 'port_not_allowed')
  for (const name of ['www.example.com', 'badexample.com', 'example.com.evil.org', 'com'])
    assert.equal(checkRules(rules, { name, port: 443 }), 'not_allowed')
})

test('a star allows all that is below a name, and not the name', () => {
  const rules = rulesOf('*.example.com')
  for (const name of ['a.example.com', 'a.b.example.com'])
    assert.equal(checkRules(rules, { name, port: 443 }), 'allowed')
  for (const name of ['example.com', 'badexample.com', 'a.example.com.evil.org'])
    assert.equal(checkRules(rules, { name, port: 443 }), 'not_allowed')
})

test('what is no name cannot be allowed, and is told why', () => {
  const wrong: [string, RegExp][] = [
    ['https://example.com', /address of the web/],
    ['example.com/path', /address of the web/],
    ['10.0.0.1', /is an address/],
    ['10.0.0.0/8', /address of the web/],
    ['127.1', /is an address/],
    ['::1', /is an address/],
    ['[::1]:443', /is an address/],
    ['*', /is no name/],
    ['*.com', /too much/],
    ['*.co.uk', /anybody can have a name below co\.uk/],
    ['*.GitHub.io.', /below github\.io/],
    ['*.s3.amazonaws.com:443', /too much/],
    ['*.compute.amazonaws.com', /too much/],
    ['*.kawasaki.jp', /too much/],
    ['*.foo.ck', /too much/],
    ['*.xn--p1ai', /too much/],
    ['a.*.com', /is no name/],
    ['', /is no name/],
    ['exa mple.com', /is no name/],
    ['bücher.example', /is no name/],
    ['example.com:0', /port/],
    ['example.com:99999', /port/],
    ['example.com:', /is no name/],
  ]
  for (const [text, says] of wrong) assert.match(parseRule(text) as string, says, text)
  for (const text of ['example.com', '*.example.com', 'example.com:8443', '*.a.example:22', 'localhost'])
    assert.equal(ruleText(parseRule(text) as Rule), text)
})

test('a run reaches what its organization allows, and its repository besides', async () => {
  const { id: organizationId, adminId } = await makeOrganization(db)
  const repo = await makeRepo(organizationId)
  await saveEgress(db, { organizationId, repoId: null, allow: ['Docs.Example.com'], presets: ['go'] })
  const saved = await saveEgress(db, {
    organizationId,
    repoId: repo.id,
    allow: ['*.example.org', '*.example.org'],
    presets: [],
  })
  assert.deepEqual(saved, {
    allow: ['*.example.org'],
    presets: [],
    names: ['*.example.org', 'docs.example.com', 'proxy.golang.org', 'sum.golang.org'],
    isFromFileToo: false,
  })
  assert.deepEqual(await getEgress(db, { organizationId, repoId: repo.id }), saved)
  const there = await makeHeldRun(db, { organizationId, userId: adminId, repoId: repo.id })
  assert.deepEqual((await listRules(db, there.holder)).map(ruleText), saved.names)
  const elsewhere = await makeHeldRun(db, { organizationId, userId: adminId })
  const { names } = await getEgress(db, { organizationId, repoId: null })
  assert.deepEqual(names, ['docs.example.com', 'proxy.golang.org', 'sum.golang.org'])
  assert.deepEqual((await listRules(db, elsewhere.holder)).map(ruleText), names)
})

test('a star over names that anybody can have lets nothing through, though it was allowed once', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId } = holder
  const allowed = ['*.github.io', '*.co.uk', '*.example.co.uk', 'me.github.io']
  await db.query('update organizations set egress_allow = $2 where id = $1', [organizationId, allowed])
  const rules = await listRules(db, holder)
  for (const name of ['evil.github.io', 'evil.co.uk'])
    assert.equal(checkRules(rules, { name, port: 443 }), 'not_allowed', name)
  for (const name of ['me.github.io', 'a.example.co.uk'])
    assert.equal(checkRules(rules, { name, port: 443 }), 'allowed', name)
  assert.deepEqual((await getEgress(db, { organizationId, repoId: null })).names, ['*.example.co.uk', 'me.github.io'])
})

test('nothing is reached where nobody has allowed anything', async () => {
  const { holder } = await makeHeldRun(db)
  assert.deepEqual(await listRules(db, holder), [])
  const egress = await getEgress(db, { organizationId: holder.organizationId, repoId: null })
  assert.deepEqual(egress, { allow: [], presets: [], names: [], isFromFileToo: false })
})

test('what a repository’s own file asks for is reached where an ADMIN lets the file decide, and not otherwise', async () => {
  const { id: organizationId, adminId } = await makeOrganization(db)
  const repo = await makeRepo(organizationId)
  const { holder } = await makeHeldRun(db, { organizationId, userId: adminId, repoId: repo.id })
  const egress = { allow: ['files.example'], presets: ['crates' as const] }
  const environment = {
    setupCommands: [],
    checks: [],
    egress,
    push: null,
    hooks: noHooks,
    hookProblems: [],
    problems: [],
  }
  await recordEnvironment(db, { holder, commit: null, environment })
  const reached = async () => (await listRules(db, holder)).map(ruleText).sort()
  assert.deepEqual(await reached(), [])
  const all = ['crates.io', 'files.example', 'index.crates.io', 'static.crates.io']
  for (const repoId of [null, repo.id]) {
    const place = { organizationId, repoId, allow: [], presets: [] }
    assert.equal((await saveEgress(db, { ...place, isFromFileToo: true })).isFromFileToo, true)
    assert.deepEqual(await reached(), all)
    await saveEgress(db, place)
    assert.deepEqual(await reached(), [])
  }
  const other = { ...holder, leaseId: randomUUID() }
  await assert.rejects(recordEnvironment(db, { holder: other, commit: null, environment }), { name: 'LeaseLost' })
})

test('whoever allows what is no name hears of each, and nothing is changed', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const place = { organizationId, repoId: null }
  await saveEgress(db, { ...place, allow: ['example.com'], presets: [] })
  await assert.rejects(saveEgress(db, { ...place, allow: ['10.0.0.1', 'good.example', '*'], presets: ['npm'] }), {
    code: 'invalid_request',
    message: '"10.0.0.1" is an address: hosts are allowed by name.',
    detail: [
      { loc: ['body', 'allow', 0], msg: 'is an address: hosts are allowed by name', type: 'value_error' },
      {
        loc: ['body', 'allow', 2],
        msg: 'is no name of a host; write "example.com", "*.example.com" or "example.com:8443"',
        type: 'value_error',
      },
    ],
  })
  assert.deepEqual((await getEgress(db, place)).names, ['example.com'])
  await assert.rejects(getEgress(db, { organizationId, repoId: 999_999 }), { code: 'repo_not_found' })
})

test('what a run asks of the network is recorded in its order, and how it ended', async () => {
  const { holder } = await makeHeldRun(db)
  const refused = asked({ name: 'evil.example', port: 80, isAllowed: false, reason: 'not_allowed' })
  assert.deepEqual(await recordEgress(db, { holder, requests: [asked(), refused] }), [1, 2])
  assert.deepEqual(await recordEgress(db, { holder, requests: [asked({ name: 'b.example' })] }), [3])
  const ends = [
    { n: 1, sentBytes: 10, receivedBytes: 2_000, reason: null },
    { n: 3, sentBytes: 0, receivedBytes: 0, reason: 'unreachable' as const },
  ]
  await finishEgress(db, { holder, ends })
  const { items, ...counts } = await listEgress(db, { ...holder, of: holder, skip: 0, limit: 100 })
  assert.deepEqual(counts, { total: 3, asked: 3, refused: 1 })
  assert.partialDeepStrictEqual(items, [
    { n: 1, name: 'example.com', port: 443, isAllowed: true, reason: null, sentBytes: 10, receivedBytes: 2_000 },
    { n: 2, ...refused, sentBytes: null, receivedBytes: null },
    { n: 3, name: 'b.example', isAllowed: true, reason: 'unreachable', sentBytes: 0 },
  ])
  assert.deepEqual(
    (await listEgress(db, { ...holder, of: holder, skip: 1, limit: 1 })).items.map(({ n }) => n),
    [2],
  )
  assert.deepEqual(await listRefusals(db, { ...holder, sinceMs: 60_000 }), [{ name: 'evil.example', count: 1 }])
  assert.deepEqual(await listRefusals(db, { ...holder, sinceMs: -60_000 }), [])
  const ofSandbox = async (leaseId: string) => listEgress(db, { ...holder, of: holder, leaseId, skip: 0, limit: 100 })
  assert.equal((await ofSandbox(holder.leaseId)).total, 3)
  assert.partialDeepStrictEqual(await ofSandbox(randomUUID()), { items: [], total: 0, asked: 3 })
})

test('beyond its room a run’s requests are only counted', async () => {
  const { holder } = await makeHeldRun(db)
  const many = Array.from({ length: limits.egressRequestsMax - 1 }, () => asked())
  assert.equal((await recordEgress(db, { holder, requests: many })).at(-1), limits.egressRequestsMax - 1)
  const rest = [asked(), asked({ isAllowed: false, reason: 'not_allowed' })]
  assert.deepEqual(await recordEgress(db, { holder, requests: rest }), [limits.egressRequestsMax, null])
  const { items, ...counts } = await listEgress(db, {
    ...holder,
    of: holder,
    skip: limits.egressRequestsMax - 1,
    limit: 10,
  })
  assert.equal(items.length, 1)
  assert.deepEqual(counts, { total: limits.egressRequestsMax, asked: limits.egressRequestsMax + 1, refused: 1 })
})

test('who does not hold the run asks nothing of the network for it', async () => {
  const { holder } = await makeHeldRun(db)
  const other = { ...holder, leaseId: randomUUID() }
  await assert.rejects(recordEgress(db, { holder: other, requests: [asked()] }), { name: 'LeaseLost' })
  assert.equal((await listEgress(db, { ...holder, of: holder, skip: 0, limit: 1 })).asked, 0)
})

test('what a run has asked goes with the run', async () => {
  const { rows } = await db.query(
    `select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confdeltype = 'c' and confrelid = 'runs'::regclass`,
  )
  const names = rows.map(({ name }) => name as string)
  assert.ok(names.includes('egress_requests') && names.includes('egress_counts'), names.join())
})

async function makeRepo(organizationId: number) {
  const { rows } = await db.query(
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'one', 'one', 'main') returning id`,
    [organizationId],
  )
  return rows[0] as { id: number }
}
