import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { openGitHubUnderTest } from '#test/open-code-hosts.ts'
import { unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree } from '#test/test-git.ts'

const under = await openGitHubUnderTest(await testDb())
const { server } = under

/** A pull request of somebody who may do everything, and which changes some lines of a file. */
async function beginPull() {
  const { git, forge, repo, there, bot } = await under.makeRepository()
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'admin')
  const tree = await makeWorkTree()
  const commit = await tree.commit({ 'total.js': 'one\ntwo\nthree\nfour\n' })
  const first = { branch: 'main', expected: null, commit, pack: tree.pack(commit), protectedBranches: [] }
  assert.partialDeepStrictEqual(await git.push(repo, { ...first, stillAllowed: async () => true }), { pushed: true })
  const head = await ada.push(there, { branch: 'odd', from: 'main', files: { 'total.js': 'one\nzwei\ndrei\nfour\n' } })
  const pulls = `/repos/${there.owner.login}/${there.name}/pulls`
  const { number } = await ada.ask<{ number: number }>('POST', pulls, { title: 'Odd', head: 'odd', base: 'main' })
  return { forge, repo, there, bot, ada, head, number, at: `${pulls}/${number}` }
}

test('a comment on lines is read with the lines, and the diff up to them', async () => {
  const { forge, repo, ada, head, number, at } = await beginPull()
  const place = { path: 'total.js', commit_id: head }
  await ada.ask('POST', `${at}/comments`, { ...place, body: 'Why?', start_line: 2, line: 3, side: 'RIGHT' })
  await ada.ask('POST', `${at}/comments`, { ...place, body: 'And this?', line: 2, side: 'LEFT' })
  const comments = await forge.listComments(repo, { kind: 'pull', number })
  assert.deepEqual(
    comments.map(({ body, line }) => [body, line]),
    [
      [
        'Why?',
        {
          path: 'total.js',
          startLine: 2,
          line: 3,
          side: 'head',
          commit: head,
          hunk: '@@ -1,4 +1,4 @@\n one\n-two\n-three\n+zwei\n+drei',
        },
      ],
      ['And this?', { path: 'total.js', line: 2, side: 'base', commit: head, hunk: '@@ -1,4 +1,4 @@\n one\n-two' }],
    ],
  )
})

/** Two threads of one review, and a reply in the first. */
async function beginThreads() {
  const begun = await beginPull()
  const { ada, forge, repo, number, at } = begun
  const comments = [2, 3].map((line) => ({ path: 'total.js', line, body: `Line ${line}` }))
  await ada.ask('POST', `${at}/reviews`, { event: 'COMMENT', body: 'See.', comments })
  const list = () => forge.listComments(repo, { kind: 'pull', number })
  const [first, second] = (await list()).filter(({ line }) => line !== null)
  await ada.ask('POST', `${at}/comments/${first!.threadId!.split(':')[1]}/replies`, { body: 'Or not.' })
  return { ...begun, list, first: first!, second: second! }
}

test('comments of one review are known by it, and a reply by the thread that it is in', async () => {
  const { list, first, second } = await beginThreads()
  const [whole] = (await list()).filter(({ body }) => body === 'See.')
  const [reply] = (await list()).filter(({ body }) => body === 'Or not.')
  assert.ok(whole?.reviewId)
  assert.deepEqual([first.reviewId, second.reviewId], [whole.reviewId, whole.reviewId])
  assert.deepEqual([first.threadId, second.threadId], [first.id, second.id])
  assert.equal(reply?.threadId, first.id)
  assert.notEqual(reply?.reviewId, whole.reviewId)
})

test('a reply stands in its thread once, and takes the place of the one before', async () => {
  const { forge, repo, there, bot, number, first, second } = await beginThreads()
  const say = (threadId: string, body: string) =>
    forge.replyInThread!(repo, number, { threadId, marker: `answer:${threadId}`, body })
  for (const body of ['Done.', 'Done.', 'Really done.']) await say(first.id, body)
  await say(second.id, 'Not done.')
  const ours = there.reviewComments.filter(({ author }) => String(author.id) === bot.hostUserId)
  assert.deepEqual(
    ours.map(({ body, line }) => [body.split('\n')[0], `review_comment:${line?.replyTo}`]),
    [
      ['Really done.', first.id],
      ['Not done.', second.id],
    ],
  )
})

test('threads are resolved with one request, and one that is gone keeps no other open', async () => {
  const { forge, repo, there, number, first, second } = await beginThreads()
  const isResolved = () => there.reviewComments.map(({ line }) => line?.isResolved)
  await forge.resolveThreads!(repo, number, ['review_comment:1', second.id])
  assert.deepEqual(isResolved().slice(0, 2), [false, true])
  const before = server.requests.length
  await forge.resolveThreads!(repo, number, [first.id, second.id])
  assert.deepEqual(isResolved().slice(0, 2), [true, true])
  await forge.resolveThreads!(repo, number, [first.id, second.id])
  const asked = server.requests.slice(before).filter(({ path }) => path === '/graphql')
  assert.equal(asked.length, 3, 'each looks, and one resolves')
})

test('an App that may not write the code resolves no thread, and is told so', async () => {
  const { forge, repo, number, first } = await beginThreads()
  const installations = server.world.installations.map((each) => ({ each, permissions: each.permissions }))
  for (const { each } of installations) each.permissions = { ...each.permissions, contents: 'read' }
  await assert.rejects(forge.resolveThreads!(repo, number, [first.id]), HostError)
  for (const { each, permissions } of installations) each.permissions = permissions
})

test('a review suggests what is to stand on several lines', async () => {
  const { forge, repo, there, head, number } = await beginPull()
  const place = { path: 'total.js', startLine: 2, line: 3, side: 'head' as const }
  const comments = [{ ...place, body: 'Both.', suggestion: 'two\nthree' }]
  await forge.createReview(repo, number, { commit: head, verdict: 'comment', body: 'See.', comments, marker: 'r:1' })
  assert.partialDeepStrictEqual(there.reviewComments, [
    { body: 'Both.\n\n```suggestion\ntwo\nthree\n```', line: { startLine: 2, line: 3, side: 'RIGHT' } },
  ])
})
