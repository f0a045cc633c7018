import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { seededRandom } from '#test/chaos/random.ts'
import type { Person } from '#test/github/make-github.ts'
import type { Comment } from '#test/github/world.ts'
import type { ModelServerRequest } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { priceList } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'
import { comments, files, finish, look, numbersIn, startScriptedModel, write } from './three-files.ts'

const secret = randomBytes(12).toString('hex')
const { model, script } = await startScriptedModel()

const db = await testDb()
const { github, app, repository, repo, ada, mallory, service, at, untilRun, runs } = await startOnGitHub({
  databaseUrl: db.url,
  files: priceList,
  env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
  defer: after,
})

await service.call('PUT', `${at}/repos/${repo.id}/secrets/PASSPHRASE`, { value: secret })
await service.call('PATCH', `${at}/repos/${repo.id}`, { environment_secrets: ['PASSPHRASE'] })

/** A run of the service has opened a pull request with the three files. */
script.push(write(files), look, finish('Three files.'))
await ada.ask('POST', '/repos/acme/price-list/issues', { title: 'Count', body: '@runwright write three files' })
const { id: runId } = await untilRun()
const opened = await service.untilRun(runId, (run) => run.status === 'completed' && run.github_pull_requests.length > 0)
const number = opened.github_pull_requests[0]!.number
const pull = `/repos/acme/price-list/pulls/${number}`

const untilTurn = (turn: number) =>
  service.untilRun(runId, (run) => run['turn'] === turn && (run.status === 'completed' || run.status === 'failed'))
const review = (by: Person, words: object) => by.ask<{ id: number }>('POST', `${pull}/reviews`, words)
const threadsOf = (id: number) => repository.reviewComments.filter(({ line }) => line?.reviewId === id)
const repliesTo = (first: Comment) =>
  repository.reviewComments.filter(({ line, author }) => line?.replyTo === first.id && author === app.bot)
const own = () => repository.comments.filter((each) => each.number === number && each.author === app.bot)
/** Whatever GitHub has told is acted on. */
const untilHandled = async () => {
  await github.settled()
  const waiting = `select from jobs where kind in ('delivery', 'host_event', 'status_comment')`
  await until(async () => (await db.query(waiting)).rowCount === 0, 'all is acted on')
}
test('a review of 8 comments is one turn, and each of its 8 threads is answered and resolved, once', async () => {
  // Each is sent twice, in any order, and some at once.
  const random = seededRandom(8)
  const between = (from: number, to: number) => (from === 1 ? to : random.between(from, to))
  github.deliveries.disturb({ random: { ...random, between }, timesMax: 2, atOnce: 3 })
  github.fail({ kind: 'status', status: 502 }, { on: /^POST .*\/replies$/ })
  github.fail({ kind: 'status', status: 502 }, { on: /^POST \/graphql$/ })
  let asked: ModelServerRequest | undefined
  const renamed = {
    'one.js': files['one.js'].replace('one6', 'six'),
    'two.js': files['two.js'].replace('two2', 'zwei'),
  }
  script.push(
    (request) => {
      asked = request
      return write({ ...renamed, 'three.js': files['three.js'].replace('three5', 'fuenf') })
    },
    look,
    (request) => {
      const replies = numbersIn(request).map((comment, n) => ({
        comment: comment!,
        text: `Seen to ${n}.`,
        resolved: true,
      }))
      return finish('All of it.', replies)
    },
  )
  const { id } = await review(ada, { event: 'REQUEST_CHANGES', body: '', comments })
  const run = await untilTurn(2)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const threads = threadsOf(id)
  assert.equal(threads.length, 8)
  await until(async () => threads.every(({ line }) => line?.isResolved), 'all threads are resolved')
  for (const first of threads) {
    const [reply, ...more] = repliesTo(first)
    assert.equal(more.length, 0, first.body)
    assert.match(reply?.body ?? '', new RegExp(`^Seen to \\d\\.\n\n\\[Run ${runId}\\]\\(http`))
  }
  const answers = new Set(threads.map((first) => repliesTo(first)[0]?.body))
  assert.equal(answers.size, 8, 'each has its own answer')
  for (const { id: comment } of threads) assert.ok(numbersIn(asked!).includes(String(comment)))
  const prompt = JSON.stringify(asked?.body)
  for (const { body } of comments) assert.ok(prompt.includes(body), body)
  assert.match(prompt, /About lines 2 to 3 of one\.js/)
  assert.match(prompt, /\+export const three5 = 5/)

  for (const delivery of github.deliveries.all.filter(({ event }) => event.startsWith('pull_request_review')))
    github.deliveries.redeliver(delivery)
  await untilHandled()
  assert.equal((await runs()).length, 1, 'one run')
  assert.equal((await untilTurn(2))['turn'], 2, 'one turn')
  assert.equal(script.length, 0)
  assert.equal(model.requests.length, 6, 'nothing else was asked of the model')
  assert.equal(threads.flatMap(repliesTo).length, 8)
  assert.deepEqual(own(), [], 'nothing was left to say outside of the threads')
  const failed = github.requests.filter(({ status }) => status === 502)
  assert.equal(failed.length, 2)
})

test('who asks on a line is answered in that thread, and not elsewhere', async () => {
  script.push((request) => {
    const comment = numbersIn(request).at(-1) ?? ''
    return finish('See there.', [{ comment, text: `It counts from one, says ${secret}.`, resolved: false }])
  })
  const { head } = await ada.ask<{ head: { sha: string } }>('GET', pull)
  const ask = { body: '@runwright where does it begin?', path: 'two.js', line: 3, commit_id: head.sha }
  const { id } = await ada.ask<{ id: number }>('POST', `${pull}/comments`, ask)
  await untilTurn(3)
  const first = repository.reviewComments.find((each) => each.id === id)!
  await until(async () => repliesTo(first).length > 0, 'it is answered')
  await untilHandled()
  assert.deepEqual(
    repliesTo(first).map(({ body }) => body.split('\n')[0]),
    ['It counts from one, says [redacted:PASSPHRASE].'],
  )
  assert.equal(first.line?.isResolved, false, 'nobody has said that it is settled')
  assert.deepEqual(own(), [])
})

test('where the agent says nothing of single comments, each is told whether its lines were changed', async () => {
  const { head } = await ada.ask<{ head: { sha: string } }>('GET', pull)
  const sixth = (await repository.git('show', `${head.sha}:three.js`)).replace('three6', 'sechs')
  script.push(write({ 'three.js': sixth }), look, finish('One of them.'))
  const { id } = await review(ada, {
    event: 'COMMENT',
    body: '@runwright please look at these.',
    comments: [
      { path: 'three.js', line: 6, body: '@runwright rename it' },
      { path: 'two.js', line: 6, body: '@runwright and this one' },
    ],
  })
  await untilTurn(4)
  const [changed, left] = threadsOf(id)
  await until(async () => own().length > 0, 'what is said of the whole is answered, too')
  await untilHandled()
  const commit = await repository.git('rev-parse', opened.branch!)
  const words = [
    `I changed this part of the file in ${commit.slice(0, 10)}.`,
    `Not changed: ${commit.slice(0, 10)} leaves`,
  ]
  assert.deepEqual(
    [changed, left].map((first, n) => repliesTo(first!).map(({ body }) => body.startsWith(words[n]!))),
    [[true], [true]],
  )
  assert.deepEqual(
    [changed, left].map((first) => first?.line?.isResolved),
    [false, false],
  )
  assert.match(
    own()
      .map(({ body }) => body)
      .join(),
    /^One of them\./,
  )
  assert.equal(model.requests.length, 10)
  const messages = (await service.log(runId)).filter(({ message_type: type }) => type === 'USER_GITHUB_ISSUE_COMMENT')
  assert.equal(messages.length, 4, 'three comments of one review are one request')
})

test('a review of somebody who may not write there asks nothing, and one that requests nothing neither', async () => {
  await review(mallory, { event: 'REQUEST_CHANGES', body: '@runwright do it my way.', comments: comments.slice(0, 2) })
  await review(ada, { event: 'COMMENT', body: 'Nice.', comments: [{ path: 'one.js', line: 4, body: 'A good name.' }] })
  await review(ada, { event: 'APPROVE', body: 'Good.' })
  await untilHandled()
  assert.equal((await untilTurn(4))['turn'], 4)
  assert.equal((await runs()).length, 1)
  assert.equal(model.requests.length, 10)
})
