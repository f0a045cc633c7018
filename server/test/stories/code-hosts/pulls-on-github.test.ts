import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Person } from '#test/github/make-github.ts'
import { startModelServer } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { answerAsReviewer } from './answer-as-reviewer.ts'
import { priceList } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const secret = randomBytes(12).toString('hex')

const model = await startModelServer(answerAsReviewer)
after(() => model.close())
const db = await testDb()
const { github, app, repository, repo, ada, mallory, forkOf, service, at, runs } = await startOnGitHub({
  databaseUrl: db.url,
  files: priceList,
  env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
  defer: after,
})
await service.call('PUT', `${at}/repos/${repo.id}/secrets/PASSPHRASE`, { value: secret })
await service.call('PATCH', `${at}/repos/${repo.id}`, { environment_secrets: ['PASSPHRASE'] })

const total = (words: string) => ({ 'total.js': `export const totalOf = (prices) => ${words}\n` })
const pulls = '/repos/acme/price-list/pulls'
type Shown = { title: string; state: string; draft: boolean; merged: boolean; merge_commit_sha: string }
type Row = { id: number; number: number; head_commit: string; title: string }

const listed = async () => (await service.call<{ items: Row[] }>('GET', `${at}/prs`)).items

/** Somebody opens a pull request at GitHub. Answers our row of it. */
async function openPull(by: Person, head: string): Promise<Row> {
  const { number } = await by.ask<{ number: number }>('POST', pulls, { title: `Of ${head}`, head, base: 'main' })
  const find = async () => (await listed()).find((each) => each.number === number)
  await until(async () => (await find()) !== undefined, 'GitHub has told of it')
  return (await find())!
}

async function ask(method: string, path: string, body?: unknown) {
  const response = await service.ask(method, `${at}/prs/${path}`, body)
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

const head = await ada.push(repository, { branch: 'odd', from: 'main', files: total('prices.filter(Number).length') })
const pull = await openPull(ada, 'odd')

test('a pull request of GitHub is read as any: its diff, its files, and the checks of its head', async () => {
  const { body } = await ask('GET', `${pull.id}`)
  const url = `${github.url}/acme/price-list/pull/${pull.number}`
  assert.partialDeepStrictEqual(body, { title: 'Of odd', head_commit: head, run_id: null, url, state: 'open' })
  const diff = await (await service.ask('GET', `${at}/prs/${pull.id}/diff`)).text()
  assert.match(diff, /^\+export const totalOf = .*filter\(Number\)\.length$/m)
  const files = await ask('GET', `${pull.id}/files`)
  assert.deepEqual(files.body['items'], [
    { path: 'total.js', previous_path: null, status: 'modified', additions: 1, deletions: 1 },
  ])
  await github.settled()
  const checks = await ask('GET', `${pull.id}/checks`)
  assert.partialDeepStrictEqual(checks.body['items'], [{ name: 'test', conclusion: 'failure' }])
})

test('the branches of a repository of GitHub are listed, its default branch first', async () => {
  const { items } = await service.call<{ items: object[] }>('GET', `${at}/repos/${repo.id}/branches?q=`)
  assert.partialDeepStrictEqual(items, [
    { name: 'main', is_default: true },
    { name: 'odd', commit: head, is_default: false },
  ])
})

test('what is changed here is changed there', async () => {
  const there = () => ada.ask<Shown>('GET', `${pulls}/${pull.number}`)
  const change = async (body: object) => (await ask('PATCH', `${pull.id}`, body)).body
  assert.partialDeepStrictEqual(await change({ title: 'Odd prices' }), { success: true, title: 'Odd prices' })
  assert.equal((await there()).title, 'Odd prices')
  assert.partialDeepStrictEqual(await change({ state: 'draft' }), { success: true, state: 'draft' })
  assert.equal((await there()).draft, true)
  const refused = await ask('POST', `${pull.id}/merge`, {})
  assert.equal(refused.status, 409)
  assert.match(JSON.stringify(refused.body), /still a draft/)
  assert.partialDeepStrictEqual(await change({ state: 'ready_for_review' }), { success: true, state: 'open' })
  assert.equal((await there()).draft, false)
  assert.partialDeepStrictEqual(await change({ state: 'closed' }), { success: true, state: 'closed' })
  assert.equal((await there()).state, 'closed')
  assert.partialDeepStrictEqual(await change({ state: 'open' }), { success: true, state: 'open', error: null })
})

test('what GitHub refuses is an answer, and changes nothing', async () => {
  await ada.push(repository, { branch: 'gone', from: 'main', files: total('prices.length') })
  const { id, number } = await openPull(ada, 'gone')
  await ada.ask('PATCH', `${pulls}/${number}`, { state: 'closed' })
  await ada.ask('DELETE', '/repos/acme/price-list/git/refs/heads/gone')
  const { status, body } = await ask('PATCH', `${id}`, { state: 'open' })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { success: false, number })
  assert.match(body['error'] ?? '', /branch has been deleted/)
})

test('comments are written there, and those that people write there are read here', async () => {
  await ada.ask('POST', `/repos/acme/price-list/issues/${pull.number}/comments`, { body: 'Is it quicker?' })
  const output = await ask('POST', `${pull.id}/comments`, { body: 'It is shorter.' })
  assert.equal(output.status, 201, JSON.stringify(output.body))
  const line = { body: 'Why its length?', path: 'total.js', line: 1 }
  const onLine = await ask('POST', `${pull.id}/comments`, line)
  assert.equal(onLine.status, 201, JSON.stringify(onLine.body))

  const [who] = /^\*\*`[^`]+`\*\* \(through Runwright\):\n\n/.exec(output.body['body'] ?? '') ?? []
  assert.ok(who, 'a reader at GitHub sees who has spoken')
  const { body } = await ask('GET', `${pull.id}/comments`)
  const items = body['items'] as unknown as { url: string; body: string; author: { login: string } }[]
  assert.deepEqual(
    items.map(({ author, body: words }) => [author.login, words]),
    [
      ['ada', 'Is it quicker?'],
      [app.bot.login, `${who}It is shorter.`],
      [app.bot.login, `${who}Why its length?`],
    ],
  )
  assert.deepEqual(items.slice(1), [output.body, onLine.body])
  const { body: _, ...place } = line
  assert.partialDeepStrictEqual(onLine.body, { ...place, side: 'head', id: null, user_id: null, pr_id: pull.id })
  const page = await ask('GET', `${pull.id}/comments?skip=1&limit=1`)
  assert.partialDeepStrictEqual(page.body, { items: [output.body], total: 3 })
  assert.equal(repository.reviewComments.at(-1)?.author, app.bot)

  const elsewhere = await ask('POST', `${pull.id}/comments`, { ...line, path: 'total.test.js' })
  assert.equal(elsewhere.status, 400, 'a file that it does not change')
  const tooFar = await ask('POST', `${pull.id}/comments`, { ...line, line: 70 })
  assert.equal(tooFar.status, 409)
  assert.match(JSON.stringify(tooFar.body), /must be part of the diff/)
  await github.settled()
  assert.deepEqual(await runs(), [], 'the agent does not listen to itself')
})

test('a review stands there under the name of the service, which approves nothing', async () => {
  const words = { body: 'Nearly.', verdict: 'request_changes', comments: [{ path: 'total.js', line: 1, body: 'Sum?' }] }
  const { status, body } = await ask('POST', `${pull.id}/reviews`, words)
  assert.equal(status, 201, JSON.stringify(body))
  assert.partialDeepStrictEqual(repository.reviews.at(-1), { author: app.bot, state: 'CHANGES_REQUESTED' })
  for (const there of [repository.reviews.at(-1)?.body, repository.reviewComments.at(-1)?.body])
    assert.match(there ?? '', /^\*\*`[^`]+`\*\* \(through Runwright\):\n\n(Nearly\.|Sum\?)/)
  assert.equal((await ask('POST', `${pull.id}/reviews`, { body: 'Good.', verdict: 'approve' })).status, 409)
  const line = { path: 'total.js', start_line: 1, line: 1, body: 'So:', suggestion: 'a\nb' }
  const suggesting = await ask('POST', `${pull.id}/reviews`, { body: 'Like this.', comments: [line] })
  assert.equal(suggesting.status, 201, JSON.stringify(suggesting.body))
  assert.match(repository.reviewComments.at(-1)?.body ?? '', /So:\n\n```suggestion\na\nb\n```$/)
  assert.match(JSON.stringify(suggesting.body), /So:\\n\\n```\\na\\nb\\n```/, 'as it is read where nobody can click')
  assert.partialDeepStrictEqual((await ask('GET', `${pull.id}/reviews`)).body, { total: 2 })
})

/** As GitHub lets people take it over; its fence is longer than the one in it. */
const suggested = '````suggestion\n// ```\nexport const totalOf = 0\n````'

/** GitHub asks the service for a review. Answers its run, ended, and what it has left there. */
async function review({ number }: Row) {
  const before = { runs: (await runs()).length, reviews: repository.reviews.length }
  await ada.ask('POST', `${pulls}/${number}/requested_reviewers`, { reviewers: [app.bot.login] })
  await until(async () => (await runs()).length > before.runs, 'a review has begun')
  const run = await service.untilEnded((await runs())[before.runs]!.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const log = await service.log(run.id)
  const posted = repository.reviews.slice(before.reviews)
  const comments = repository.reviewComments.filter(({ line }) => line?.reviewId === posted[0]?.id)
  return { log, posted, comments }
}

test('whoever asks for its review at GitHub gets one, once, with comments on lines', async () => {
  const { log, posted, comments } = await review(pull)
  const evaluations = log.filter(({ message_type: type }) => type === 'PR_EVALUATION')
  assert.equal(evaluations.length, 1)
  const { thought, observation } = evaluations[0]!
  assert.ok(thought)
  assert.partialDeepStrictEqual(observation, { verdict: 'request_changes', summary: 'It begins at nothing no more.' })
  assert.equal(posted.length, 1)
  assert.partialDeepStrictEqual(posted[0], { author: app.bot, state: 'CHANGES_REQUESTED', commit: head })
  assert.deepEqual(
    comments.map(({ body, line }) => [body, line?.path, line?.line]),
    [[`A name for the filter would help.\n\n${suggested}`, 'total.js', 1]],
  )
  github.deliveries.redeliver(github.deliveries.all.findLast(({ body }) => body.includes('"review_requested"'))!)
  await github.settled()
  assert.equal((await runs()).length, 1, 'told of it again, it does nothing again')
})

test('the head of a fork is reviewed without secrets, and nothing is pushed', async () => {
  const fork = await forkOf(mallory)
  const files = { ...total('prices.filter(Boolean).length'), '.runwright.yml': 'setup: env > /tmp/taken\n' }
  const commit = await mallory.push(fork, { branch: 'mine', from: 'main', files })
  const foreign = await openPull(mallory, 'mallory:mine')
  assert.equal(foreign.head_commit, commit)
  const refs = () => repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')
  const before = await refs()
  const { log, posted } = await review(foreign)
  const shown = JSON.stringify(log.find(({ message_type: type }) => type === 'ACTION')?.tool_output)
  assert.ok(shown.includes(commit), 'it works on the head of the fork')
  assert.match(shown, /secrets: 0/)
  assert.equal(shown.match(/rejected/g)?.length, 2, shown)
  assert.equal(await refs(), before)
  assert.equal(await fork.git('rev-parse', 'mine'), commit)
  assert.partialDeepStrictEqual(posted, [{ author: app.bot, commit }])
  const seen = JSON.stringify([log, model.requests.map(({ text }) => text)])
  for (const word of [secret, ...github.secrets()]) assert.ok(!seen.includes(word))
})

test('a merge is of what its caller has read, and happens once', async () => {
  const next = await ada.push(repository, { branch: 'odd', files: total('prices.reduce((a, b) => a + b, 0)') })
  const merge = (expected: string) => ask('POST', `${pull.id}/merge`, { method: 'squash', expected_head: expected })
  const main = await repository.git('rev-parse', 'main')
  const stale = await merge(head)
  assert.equal(stale.status, 409, JSON.stringify(stale.body))
  assert.equal(await repository.git('rev-parse', 'main'), main)
  const merged = await merge(next)
  const commit = await repository.git('rev-parse', 'main')
  assert.partialDeepStrictEqual(merged, { status: 200, body: { merged: true, state: 'closed', merge_commit: commit } })
  assert.equal(await repository.git('rev-parse', 'main^'), main)
  assert.equal((await merge(next)).status, 200)
  assert.equal(await repository.git('rev-parse', 'main'), commit)
  // Its branch goes there as well, unless it has moved.
  const heads = () => repository.git('for-each-ref', '--format=%(objectname)', 'refs/heads/odd')
  await repository.git('update-ref', 'refs/heads/odd', main)
  const moved = await ask('DELETE', `${pull.id}/branch`)
  assert.match(JSON.stringify([moved.status, moved.body]), /^\[409,.*has moved since/)
  await repository.git('update-ref', 'refs/heads/odd', next)
  assert.equal((await ask('DELETE', `${pull.id}/branch`)).status, 200)
  assert.equal(await heads(), '')
})

test('a revert is opened there, once, and merged from here', async () => {
  await github.settled()
  const revert = () => ask('POST', `${pull.id}/revert`)
  const opened = await revert()
  assert.equal(opened.status, 200, JSON.stringify(opened.body))
  const { id, number } = opened.body as unknown as Row
  assert.partialDeepStrictEqual(opened.body, {
    title: 'Revert "Odd prices"',
    body: `Reverts #${pull.number}`,
    url: `${github.url}/acme/price-list/pull/${number}`,
    head_branch_name: `revert-${pull.number}-odd`,
    base_branch_name: 'main',
    state: 'open',
    run_id: null,
  })
  assert.partialDeepStrictEqual(await ada.ask('GET', `${pulls}/${number}`), {
    title: 'Revert "Odd prices"',
    user: { login: app.bot.login },
  })
  await github.settled()
  assert.partialDeepStrictEqual(await revert(), { status: 200, body: { id } })
  assert.partialDeepStrictEqual((await ask('GET', `${pull.id}`)).body, { revert: { id, number, merged: false } })
  const merged = await ask('POST', `${id}/merge`, {})
  assert.partialDeepStrictEqual(merged, { status: 200, body: { merged: true } })
  assert.equal(await repository.git('show', 'main:total.js'), priceList['total.js']?.trim())
  assert.partialDeepStrictEqual((await ask('GET', `${pull.id}`)).body, { revert: { id, number, merged: true } })
  const again = await revert()
  assert.match(JSON.stringify([again.status, again.body]), /^\[409,.*was reverted by number/)
})

test('who mentions the agent through the service is heard as who they are, once, and nobody else is', async () => {
  const words = total('prices.length')
  await ada.push(repository, { branch: 'even', from: 'main', files: words })
  const { id, number } = await openPull(ada, 'even')
  const before = (await runs()).length
  await ask('POST', `${id}/comments`, { body: 'Say `@runwright` to it. <!-- @runwright go -->' })
  const { body } = await ask('POST', `${id}/comments`, { body: '@runwright why?\n\n@acme/owners' })
  await until(async () => (await runs()).length > before, 'it is heard')
  const run = await service.untilEnded((await runs()).at(-1)!.id)
  github.deliveries.redeliver(github.deliveries.all.findLast(({ event }) => event === 'issue_comment')!)
  await until(async () => (await answers(number)).length === 1, 'it is answered')
  await github.settled()
  assert.equal((await runs()).length, before + 1)
  const log = await service.log(run.id)
  assert.equal(log.filter(({ message_type: type }) => type === 'USER_GITHUB_ISSUE_COMMENT').length, 1)
  assert.partialDeepStrictEqual(log[0]?.observation, { body: '@runwright why?\n\n@acme/owners', url: body['url'] })
  assert.equal(run['user_id'], (await service.call<{ id: number }>('GET', '/v1/users/me')).id)
})

/** What was told of runs there. */
const answers = async (number: number) =>
  repository.comments.filter((each) => each.number === number && each.body.includes('runwright:agent-run'))
