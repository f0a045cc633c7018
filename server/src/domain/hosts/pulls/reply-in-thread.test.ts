import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { commitEach } from '#test/commit-to.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'

const api = await testApp()
const { app, ask } = api

type Comment = Record<'id' | 'thread_id' | 'in_reply_to' | 'review_id' | 'line', number | null> & {
  body: string
  resolved: boolean
  resolved_by: number | null
}

const pullOf = ({ path, ids }: World) => `${path}/prs/${ids['pr_id']}`
type Answer = { status: number; body: Comment }
const say = async (world: World, body: object) =>
  (await ask(`${pullOf(world)}/comments`, { method: 'POST', token: world.token, body })) as unknown as Answer
const settle = async (world: World, id: number, resolved: boolean) => {
  const request = { method: 'PATCH', token: world.token, body: { resolved } }
  return (await ask(`${pullOf(world)}/comments/${id}`, request)) as unknown as Answer
}
const list = async (world: World) =>
  (await ask(`${pullOf(world)}/comments`, { token: world.token })).body['items'] as Comment[]

test('a reply to any comment of a thread joins it on its line, and whoever settles it settles all of it', async () => {
  const world = await makeWorld(api)
  const first = world.ids['comment_id']!
  const reply = (await say(world, { body: 'Indeed.', in_reply_to: first })).body
  const further = (await say(world, { body: 'Is it?', in_reply_to: reply.id })).body
  for (const { thread_id, in_reply_to, line } of [reply, further])
    assert.deepEqual([thread_id, in_reply_to, line], [first, first, 1])
  const { status, body } = await settle(world, further.id!, true)
  assert.deepEqual([status, body.resolved, body.resolved_by], [200, true, world.userId])
  assert.deepEqual(
    (await list(world)).map(({ resolved }) => resolved),
    [true, true, true],
  )
  assert.equal((await settle(world, first, false)).body.resolved, false)
  assert.deepEqual(
    (await list(world)).map(({ resolved, resolved_by: by }) => [resolved, by]),
    Array.from({ length: 3 }, () => [false, null]),
  )
})

test('there are no threads where no line is, and none of another pull request', async () => {
  const world = await makeWorld(api)
  const whole = (await say(world, { body: 'In general' })).body
  assert.equal(whole.thread_id, null)
  const refused = [await say(world, { body: 'x', in_reply_to: whole.id }), await settle(world, whole.id!, true)]
  const { id: elsewhere } = await one<{ id: number }>(
    app.pool,
    `insert into pulls (organization_id, repo_id, number, title, body, head_branch, base_branch, head_commit)
     values ($1, $2, 77, 't', 'b', 'h', 'main', $3) returning id`,
    [world.organizationId, world.ids['repo_id'], world.commit],
  )
  const other = { ...world, ids: { ...world.ids, pr_id: elsewhere } }
  const first = world.ids['comment_id']!
  refused.push(await say(other, { body: 'x', in_reply_to: first }), await settle(other, first, true))
  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 404, 404, 404],
  )
  assert.equal((await say(world, { body: 'x', in_reply_to: first, path: 'read.me', line: 1 })).status, 400)
})

test('each comment of a review begins a thread, whoever has stored the review', async () => {
  const world = await makeWorld(api)
  const comments = [1, 1].map((line, n) => ({ path: world.word, line, body: `Comment ${n}` }))
  const review = await ask(`${pullOf(world)}/reviews`, {
    method: 'POST',
    token: world.token,
    body: { body: 'Two things.', comments },
  })
  assert.equal(review.status, 201)
  const begun = (await list(world)).filter((comment) => comment.review_id === review.body['id'])
  assert.deepEqual(
    begun.map(({ body, thread_id, id }) => [body, thread_id === id]),
    [
      ['Comment 0', true],
      ['Comment 1', true],
    ],
  )
  // As a process of the previous version stores that of a run; JSON holds what no text does.
  const odd = JSON.stringify([{ path: 'a', line: 1, side: 'head', body: '\0' }])
  const fine = JSON.stringify([{ path: 'a', line: 1, side: 'head', body: 'By a run' }])
  for (const [marker, words] of Object.entries({ odd, fine }))
    await app.pool.query(
      `insert into pull_reviews (organization_id, pull_id, run_id, verdict, body, comments, head_commit, marker)
       values ($1, $2, $3, 'comment', 'Read.', $4, $5, $6)`,
      [world.organizationId, world.ids['pr_id'], world.ids['run_id'], words, world.commit, marker],
    )
  const byAgent = await rows<{ body: string; kind: string }>(
    app.pool,
    `select c.body, u.kind from pull_comments c join users u on u.id = c.user_id
     where c.organization_id = $1 and c.path = 'a'`,
    [world.organizationId],
  )
  assert.deepEqual(byAgent, [{ body: 'By a run', kind: 'service' }])
})

test('a thread stays readable when its line is gone', async () => {
  const world = await makeWorld(api)
  const [head] = commitEach(world.repository, [
    { branch: world.word, from: world.word, files: { [world.word]: '', other: 'Nothing of it' } },
  ])
  await app.pool.query('update pulls set head_commit = $2 where id = $1', [world.ids['pr_id'], head])
  const [first] = await list(world)
  assert.partialDeepStrictEqual(first, { body: world.word, line: 1, resolved: false })
  assert.equal((await say(world, { body: 'Where is it?', in_reply_to: first!.id })).status, 201)
})
