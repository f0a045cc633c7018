import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { makeRepository, git } from '#test/example-repository.ts'
import { makeOrganization, makeUser } from '#test/make.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { openWorkTree, testFolder } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'

type Reviewer = {
  user_id: number
  reason: string
  pattern: string | null
  requested_by: number | null
  state: string
}
type Pull = {
  id: number
  number: number
  head_branch_name: string
  reviewers: Reviewer[]
  code_owners: { path: string; not_found: string[]; problems: string[] } | null
}
type Item = { kind: string; pr_id: number; pr_number: number; repo_id: number; run_id: null; text: string }

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() },
})
let worker: ChildProcess = await service.startWorker()
const { organizationId } = service
const at = `/v1/organizations/${organizationId}`
const { id: adaId } = await service.call<{ id: number }>('GET', '/v1/users/me')
await service.call('PATCH', '/v1/users/me', { full_name: 'Ada Lovelace' })
const [grace, linus, ken, barbara] = await Promise.all(
  ['grace', 'linus', 'ken', 'barbara'].map((name) =>
    makeUser(db, { organizationId, email: `${name}@example.com` }).then(({ id }) => id),
  ),
)
const elsewhere = await makeOrganization(db)
const eve = await makeUser(db, { organizationId: elsewhere.id, email: 'eve@example.com' })

const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
  name: 'handbook',
  import_from: makeRepository({ 'read.me': 'Read me.\n', 'docs/a.md': 'A\n' }),
})
/** A run has opened a pull request that changes the documentation. */
const run = await service.play([{ shell: 'echo B > docs/b.md' }, { answer: 'With b.', title: 'B' }], {
  repo_id: repo.id,
  create_pull_request: true,
})
await service.untilEnded(run.id)
const listPulls = async () => (await service.call<{ items: Pull[] }>('GET', `${at}/prs`)).items
const [{ id: pullId, head_branch_name: branch }] = (await listPulls()) as [Pull]
const of = `${at}/prs/${pullId}`

const clone = path.join(await testFolder(), 'clone')
git('/', 'clone', '-q', Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token }).href, clone)
const tree = openWorkTree(clone)

/** As a person does it: on top of what the branch holds. */
async function push(to: string, files: Record<string, string>) {
  await tree.git('fetch', '-q')
  await tree.git('checkout', '-q', '-B', to, `origin/${to}`)
  await tree.commit(files)
  await tree.git('push', '-q', 'origin', to)
}

const untilHandled = () =>
  until(
    async () => (await rows(db, `select 1 as n from jobs where kind = 'host_event'`)).length === 0,
    'all is handled',
  )
const getPull = () => service.call<Pull>('GET', of)
const asked = ({ reviewers }: Pull) => reviewers.map(({ user_id: id, pattern, state }) => [id, pattern, state])

const tokens = new Map<number, string>()
/** What somebody asks of the service with a token of their own. */
async function as<Answer>(userId: number, method: string, route: string, body?: object): Promise<Answer> {
  if (!tokens.has(userId)) {
    const made = { name: 'own', user_id: userId, scopes: ['run'] }
    tokens.set(userId, (await service.call<{ token: string }>('POST', `${at}/tokens`, made)).token)
  }
  const answer = await service.ask(method, route, body, { authorization: `Bearer ${tokens.get(userId)}` })
  return (await answer.json()) as Answer
}
const inboxOf = async (userId: number) =>
  (await as<{ items: Item[] }>(userId, 'GET', `${at}/inbox`)).items.filter(({ kind }) => kind === 'review')
const countTold = async (userId: number) =>
  (await rows(db, `select 1 as n from notifications where kind = 'review' and user_id = $1`, [userId])).length

test('a draft asks nobody; once it is ready, the owners that its base names are asked, and told once', async () => {
  await service.call('PATCH', of, { state: 'draft' })
  await push('main', {
    CODEOWNERS: '* @ken\n',
    '.github/CODEOWNERS': [
      '* @grace @adalovelace',
      '/docs/ Linus@example.com @ghost eve@example.com @acme/writers',
      '/docs/free/',
    ].join('\n'),
  })
  await push(branch, { 'docs/c.md': 'C\n', 'docs/free/d.md': 'D\n' })
  await untilHandled()
  assert.partialDeepStrictEqual(await getPull(), { draft: true, reviewers: [], code_owners: null })

  await service.call('PATCH', of, { state: 'ready_for_review' })
  await untilHandled()
  const pull = await getPull()
  assert.deepEqual(asked(pull), [[linus, '/docs/', 'requested']])
  assert.partialDeepStrictEqual(pull.reviewers, [{ reason: 'code_owner', requested_by: null }])
  assert.deepEqual(pull.code_owners, {
    path: '.github/CODEOWNERS',
    not_found: ['@ghost', 'eve@example.com', '@acme/writers'],
    problems: [],
  })
  const ids = { pr_id: pullId, pr_number: pull.number, repo_id: repo.id, run_id: null }
  assert.partialDeepStrictEqual(await inboxOf(linus!), [{ ...ids, text: 'B' }])
  assert.deepEqual([await countTold(grace!), await countTold(ken!), await countTold(eve.id)], [0, 0, 0])
})

test('new paths ask more people, nobody twice; what the pull request says of owners has no effect', async () => {
  await push(branch, { 'src/a.js': '1\n', 'docs/c.md': 'CC\n', '.github/CODEOWNERS': '* @ken\n' })
  await untilHandled()
  assert.deepEqual(asked(await getPull()), [
    [linus, '/docs/', 'requested'],
    // Who has started the run is not the author of what the agent wrote.
    [adaId, '*', 'requested'],
    [grace, '*', 'requested'],
  ])
  await push(branch, { 'src/b.js': '2\n' })
  await untilHandled()
  assert.equal((await getPull()).reviewers.length, 3)
  for (const id of [linus!, grace!, adaId]) assert.equal(await countTold(id), 1)
})

test('a review answers the request, and people ask again, ask others, and take them off', async () => {
  const review = (userId: number, verdict: string) => as(userId, 'POST', `${of}/reviews`, { verdict, body: 'Read it.' })
  const stateOf = async (id: number) => (await getPull()).reviewers.find(({ user_id: user }) => user === id)?.state
  await review(linus!, 'approve')
  await review(linus!, 'comment')
  assert.equal(await stateOf(linus!), 'approved', 'a comment takes no approval back')
  assert.deepEqual(await inboxOf(linus!), [])
  await review(grace!, 'request_changes')
  assert.equal(await stateOf(grace!), 'changes_requested')
  await push(branch, { 'docs/e.md': 'E\n' })
  await untilHandled()
  assert.equal(await stateOf(linus!), 'approved')
  assert.equal(await countTold(linus!), 1)

  const ask = (userId: number) => service.ask('POST', `${of}/reviewers`, { user_id: userId })
  for (let n = 0; n < 2; n++) assert.equal((await ask(linus!)).status, 200)
  assert.equal(await stateOf(linus!), 'requested')
  assert.equal((await inboxOf(linus!)).length, 1)
  assert.equal(await countTold(linus!), 2, 'asked again once')
  await ask(ken!)
  const { reviewers } = await getPull()
  assert.partialDeepStrictEqual(
    reviewers.find(({ user_id: id }) => id === ken),
    { reason: 'asked', pattern: null, requested_by: adaId, state: 'requested' },
  )
  assert.equal((await ask(eve.id)).status, 404, 'another organization has its own people')
  const { agent } = await one<{ agent: number }>(db, 'select agent_user($1) as agent', [organizationId])
  assert.equal((await ask(agent)).status, 409, 'agents are asked elsewhere')

  await service.call('DELETE', `${of}/reviewers/${linus}`)
  assert.deepEqual(await inboxOf(linus!), [])
  await push(branch, { 'docs/f.md': 'F\n' })
  await untilHandled()
  assert.equal(await stateOf(linus!), undefined, 'no push asks them again')
  assert.equal((await ask(linus!)).status, 200)
  assert.partialDeepStrictEqual(
    (await getPull()).reviewers.find(({ user_id: id }) => id === linus),
    { reason: 'code_owner', requested_by: adaId, state: 'requested' },
  )
})

test('a worker that is killed while it asks neither loses the request nor makes it twice', async () => {
  await push('main', { '.github/CODEOWNERS': '* barbara@example.com\n' })
  await db.query(`create function hold_review() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(77); return new; end $$`)
  await db.query(`create trigger hold_review before insert on notifications for each row
    when (new.kind = 'review') execute function hold_review()`)
  const lock = await db.connect()
  await lock.query('select pg_advisory_lock(77)')
  await push(branch, { 'src/c.js': '3\n' })
  const waiting = `select 1 as n from pg_locks where locktype = 'advisory' and objid = 77 and not granted`
  await until(async () => (await rows(db, waiting)).length > 0, 'she is being told')
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await lock.query('select pg_advisory_unlock(77)')
  lock.release()
  worker = await service.startWorker()
  await until(async () => (await countTold(barbara!)) > 0, 'she is told')
  await untilHandled()
  assert.equal(await countTold(barbara!), 1)
  assert.equal((await getPull()).reviewers.filter(({ user_id: id }) => id === barbara).length, 1)
})

test('a request is over once the pull request is closed, and stands again when it is opened again', async () => {
  assert.equal((await inboxOf(barbara!)).length, 1)
  await service.call('PATCH', of, { state: 'closed' })
  assert.deepEqual(await inboxOf(barbara!), [])
  assert.equal((await service.ask('POST', `${of}/reviewers`, { user_id: barbara })).status, 409)
  await service.call('PATCH', of, { state: 'open' })
  await untilHandled()
  assert.equal((await inboxOf(barbara!)).length, 1)
  assert.equal(await countTold(barbara!), 1)
})

test('whoever opens a pull request is not asked to review it', async () => {
  for (const name of ['main', branch]) await push(name, { '.github/CODEOWNERS': '* @adalovelace @grace\n' })
  await service.call('POST', `${of}/merge`, {})
  const revert = await service.call<Pull>('POST', `${of}/revert`, {})
  await untilHandled()
  const { reviewers, code_owners: owners } = await service.call<Pull>('GET', `${at}/prs/${revert.id}`)
  assert.deepEqual(
    reviewers.map(({ user_id: id }) => id),
    [grace],
  )
  assert.deepEqual(owners?.not_found, [])
  const own = await service.ask('POST', `${at}/prs/${revert.id}/reviewers`, { user_id: adaId })
  assert.match(await own.text(), /was opened by user \d+, who cannot review it/)
})

test('a hostile file of the greatest size and thousands of changed files hold nothing up, and a larger one counts for nothing', async () => {
  const [revert] = (await listPulls()) as [Pull]
  const read = () => service.call<Pull>('GET', `${at}/prs/${revert.id}`)
  const slow = `${'*a'.repeat(codeOwnersLimits.patternCharactersMax / 2 - 1)}b @ken\n`
  await push('main', { '.github/CODEOWNERS': slow.repeat(codeOwnersLimits.fileBytesMax / slow.length) })
  const many = Array.from({ length: 4_000 }, (_, n) => [`${'a'.repeat(200)}/${'a'.repeat(240)}/${n}`, ''])
  await push(revert.head_branch_name, Object.fromEntries(many))
  await until(async () => (await read()).code_owners?.problems.length === 1, 'it is looked at')
  assert.match((await read()).code_owners!.problems[0]!, /^Its patterns take too long/)
  await untilHandled()
  const { ms } = await one<{ ms: number }>(
    db,
    `select extract(epoch from max(done_at - created_at))::float8 * 1000 as ms from host_events`,
  )
  assert.ok(ms < 30_000, `${ms} ms`)

  const secret = 'hunter2-of-the-organization'
  await service.call('PUT', `${at}/secrets/LOGIN`, { value: secret })
  const strangers = Array.from({ length: codeOwnersLimits.notFoundMax + 2 }, (_, n) => `@stranger${n}`)
  await push('main', { '.github/CODEOWNERS': `* @${secret} ${strangers.slice(1).join(' ')}\n` })
  await push(revert.head_branch_name, { 'one.more': '' })
  await untilHandled()
  const { not_found: notFound, problems = [] } = (await read()).code_owners ?? {}
  assert.equal(notFound?.length, codeOwnersLimits.notFoundMax)
  assert.ok(!notFound.join().includes(secret), 'secrets are redacted')
  assert.equal(problems.at(-1), '2 more owners are not found here.')

  await push('main', { '.github/CODEOWNERS': '* @ken\n'.padEnd(codeOwnersLimits.fileBytesMax + 1, '#') })
  await push(revert.head_branch_name, { 'two.more': '' })
  await untilHandled()
  assert.deepEqual((await read()).code_owners?.problems, ['It is larger than 262144 bytes, so it does not count.'])
  assert.deepEqual(
    (await read()).reviewers.map(({ user_id: id }) => id),
    [grace],
    'nobody else was asked',
  )
})
