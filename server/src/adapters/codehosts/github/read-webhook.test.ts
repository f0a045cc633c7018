import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebhook } from './read-webhook.ts'

const user = { id: 583231, login: 'octocat', type: 'User' }
const bot = { id: 99, login: 'runwright[bot]', type: 'Bot' }
const repository = { id: 1296269, full_name: 'octocat/Hello-World' }
const at = '2026-11-21T22:00:00Z'
const actor = { hostUserId: '583231', login: 'octocat', isBot: false }
const read = (event: string, payload: object) =>
  readWebhook(event, Buffer.from(JSON.stringify({ repository, sender: user, ...payload })))
const eventOf = (event: string, payload: object) => {
  const [news, ...more] = read(event, payload)
  assert.ok(news?.about === 'repository' && !more.length)
  assert.equal(news.hostRepoId, '1296269')
  return { ...news.event, key: news.key }
}

const comment = { id: 5, body: 'Look', html_url: 'https://github.com/x', user, created_at: at }

test('comments at issues, pull requests, lines and in reviews are comments, each kind with ids of its own', () => {
  const text = { body: 'Look', url: 'https://github.com/x' }
  const happened = { type: 'comment', actor, at: '2026-11-21T22:00:00.000Z' }
  assert.deepEqual(eventOf('issue_comment', { action: 'created', issue: { number: 7 }, comment }), {
    ...happened,
    on: { kind: 'issue', number: 7 },
    comment: { id: 'issue_comment:5', ...text },
    key: 'comment:issue_comment:5',
  })
  assert.deepEqual(eventOf('issue_comment', { action: 'created', issue: { number: 8, pull_request: {} }, comment }), {
    ...happened,
    on: { kind: 'pull', number: 8 },
    comment: { id: 'issue_comment:5', ...text },
    key: 'comment:issue_comment:5',
  })
  assert.deepEqual(
    eventOf('pull_request_review_comment', { action: 'created', pull_request: { number: 8 }, comment }),
    {
      ...happened,
      on: { kind: 'pull', number: 8 },
      comment: { id: 'review_comment:5', ...text },
      key: 'comment:review_comment:5',
    },
  )
  const review = { ...comment, created_at: undefined, submitted_at: at, state: 'CHANGES_REQUESTED' }
  const [reviewed, words] = read('pull_request_review', { action: 'submitted', pull_request: { number: 8 }, review })
  assert.ok(reviewed?.about === 'repository' && words?.about === 'repository')
  assert.partialDeepStrictEqual(reviewed, {
    key: 'review:5',
    event: { type: 'review', number: 8, state: 'changes_requested' },
  })
  assert.partialDeepStrictEqual(words, {
    key: 'comment:review:5',
    event: { type: 'comment', comment: { id: 'review:5' } },
  })
})

test('a comment that is changed is one of whoever has changed it, with what it said before', () => {
  const grace = { id: 7, login: 'grace', type: 'User' }
  const changed = { action: 'edited', sender: grace, changes: { body: { from: 'Lok' } } }
  const expected = { type: 'comment', actor: { hostUserId: '7' }, before: 'Lok', key: null }
  assert.partialDeepStrictEqual(eventOf('issue_comment', { ...changed, issue: { number: 7 }, comment }), expected)
  const review = { ...comment, created_at: undefined, submitted_at: at, state: 'commented' }
  const pull = { pull_request: { number: 8 } }
  assert.partialDeepStrictEqual(eventOf('pull_request_review_comment', { ...changed, ...pull, comment }), expected)
  assert.partialDeepStrictEqual(eventOf('pull_request_review', { ...changed, ...pull, review }), expected)
})

test('a review that says nothing as a whole is no comment', () => {
  const review = { ...comment, body: null, submitted_at: at, state: 'approved' }
  const news = read('pull_request_review', { action: 'submitted', pull_request: { number: 8 }, review })
  assert.equal(news.length, 1)
})

test('issues that are opened, assigned and labelled', () => {
  const issue = { number: 7, updated_at: at }
  const happened = { type: 'issue', number: 7, actor, at: '2026-11-21T22:00:00.000Z' }
  assert.deepEqual(eventOf('issues', { action: 'opened', issue }), {
    ...happened,
    action: 'opened',
    key: 'issue:7:opened',
  })
  assert.deepEqual(eventOf('issues', { action: 'labeled', issue, label: { name: 'runwright' } }), {
    ...happened,
    action: 'labeled',
    label: 'runwright',
    key: 'issue:7:labeled:runwright:2026-11-21T22:00:00.000Z',
  })
  assert.deepEqual(eventOf('issues', { action: 'assigned', issue, assignee: bot }), {
    ...happened,
    action: 'assigned',
    assignee: { hostUserId: '99', login: 'runwright[bot]', isBot: true },
    key: 'issue:7:assigned:99:2026-11-21T22:00:00.000Z',
  })
})

test('pull requests, whose new heads are known by their commits', () => {
  const pull_request = { number: 8, updated_at: at, head: { sha: 'abc' } }
  const happened = { type: 'pull', number: 8, actor, at: '2026-11-21T22:00:00.000Z' }
  const actions = {
    opened: 'pull:8:opened',
    synchronize: 'pull:8:head:abc',
    closed: 'pull:8:closed:2026-11-21T22:00:00.000Z',
    ready_for_review: null,
  }
  const names = { opened: 'opened', synchronize: 'head_changed', closed: 'closed', ready_for_review: 'ready' } as const
  for (const [action, key] of Object.entries(actions))
    assert.deepEqual(eventOf('pull_request', { action, pull_request }), {
      ...happened,
      action: names[action as keyof typeof names],
      key,
    })
  assert.partialDeepStrictEqual(
    eventOf('pull_request', { action: 'review_requested', pull_request, requested_reviewer: bot }),
    { requested: { hostUserId: '99' } },
  )
})

test('pushes to branches, also the first and the last of one; not those of tags', () => {
  const push = { ref: 'refs/heads/feature/a', before: '0'.repeat(40), after: 'b'.repeat(40) }
  assert.partialDeepStrictEqual(eventOf('push', push), {
    type: 'push',
    branch: 'feature/a',
    before: null,
    after: 'b'.repeat(40),
    runId: null,
  })
  assert.partialDeepStrictEqual(eventOf('push', { ...push, before: 'b'.repeat(40), after: '0'.repeat(40) }), {
    after: null,
  })
  assert.deepEqual(read('push', { ...push, ref: 'refs/tags/v1' }), [])
})

test('all that tells of checks says: look at this commit again', () => {
  for (const [event, payload] of Object.entries({
    check_run: { action: 'completed', check_run: { head_sha: 'abc', completed_at: at } },
    check_suite: { action: 'completed', check_suite: { head_sha: 'abc', updated_at: at } },
    workflow_run: { action: 'requested', workflow_run: { head_sha: 'abc', updated_at: at } },
    status: { sha: 'abc', updated_at: at },
  }))
    assert.deepEqual(eventOf(event, payload), { type: 'checks_changed', commit: 'abc', actor, at, key: null })
})

test('that repositories came, went or have other names', () => {
  for (const event of ['repository', 'installation', 'installation_repositories'])
    assert.deepEqual(read(event, { action: 'any' }), [{ about: 'repositories' }])
})

test('what is well-formed and does not matter is nothing', () => {
  assert.deepEqual(read('star', { action: 'created' }), [])
  assert.deepEqual(read('ping', { zen: 'Keep it logically awesome.' }), [])
  assert.deepEqual(read('issue_comment', { action: 'edited', issue: { number: 7 }, comment }), [])
  assert.deepEqual(read('pull_request', { action: 'labeled' }), [])
})

test('what no GitHub sends is refused', () => {
  assert.throws(() => readWebhook('push', Buffer.from('{')))
  assert.throws(() => readWebhook('push', Buffer.from('[]')))
  assert.throws(() => readWebhook('push', Buffer.from('{}')))
  assert.throws(() => read('issue_comment', { action: 'created', issue: { number: '7' }, comment }))
  assert.throws(() =>
    read('issue_comment', { action: 'created', issue: { number: 7 }, comment: { ...comment, created_at: 'soon' } }),
  )
})

test('a text that no database can hold is told without what it cannot hold', () => {
  const event = eventOf('issue_comment', {
    action: 'created',
    issue: { number: 7 },
    comment: { ...comment, body: 'a\0b\ud800' },
  })
  assert.partialDeepStrictEqual(event, { comment: { body: 'ab\ufffd' } })
})

test('who runs our own check again, or presses a button of it, is told of besides the checks', () => {
  const check_run = { head_sha: 'a'.repeat(40), external_id: 'run-7', completed_at: at }
  const pressed = (event: string, payload: object) =>
    read(event, payload).map((news) => news.about === 'repository' && news.event)
  const button = { type: 'button', commit: 'a'.repeat(40), actor }
  const requested_action = { identifier: 'stop' }
  assert.partialDeepStrictEqual(pressed('check_run', { action: 'requested_action', check_run, requested_action }), [
    { ...button, button: 'stop', key: 'run-7' },
    { type: 'checks_changed' },
  ])
  assert.partialDeepStrictEqual(pressed('check_run', { action: 'rerequested', check_run }), [
    { ...button, button: 'rerun', key: 'run-7' },
    { type: 'checks_changed' },
  ])
  assert.partialDeepStrictEqual(pressed('check_suite', { action: 'rerequested', check_suite: check_run }), [
    { ...button, button: 'rerun', key: null },
    { type: 'checks_changed' },
  ])
  for (const action of ['requested_action', 'completed'])
    assert.equal(pressed('check_run', { action, check_run, requested_action: { identifier: 'lgtm|1' } }).length, 1)
})
