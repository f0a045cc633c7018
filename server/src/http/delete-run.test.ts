import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeToken, makeUser, unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member } = await testApp()
const me = await member()
const { organizationId } = me
const makeRun = async (userId = me.userId) =>
  (await makeFullRun(app.pool, { word: unique('canary'), blobs: app.blobs, steps: 1, organizationId, userId })).ids
    .runId

/** Somebody else of the organization. */
async function makeMember() {
  const { id: userId } = await makeUser(app.pool, { organizationId })
  return { userId, token: await makeToken(app.pool, app.tokenKeys, { organizationId, userId }) }
}

const remove = (runId: number, token: string, headers: Record<string, string> = {}) =>
  ask(`${me.path}/agent/run/${runId}`, { method: 'DELETE', token, headers })

test('a member deletes their own runs, and an ADMIN those of all', async () => {
  const { userId, token } = await makeMember()
  const [own, other, third] = [await makeRun(userId), await makeRun(), await makeRun(userId)]
  assert.equal((await remove(own, token)).status, 204)
  const refused = await remove(other, token)
  assert.equal(refused.status, 403)
  assert.match(String(refused.body.message), /Somebody else started run \d+/)
  assert.equal((await ask(`${me.path}/agent/run/${other}`, { token })).status, 200)
  assert.equal((await remove(third, me.token)).status, 204)
})

test('a token that only reads, and one of another organization, delete nothing', async () => {
  const runId = await makeRun()
  const reader = await makeToken(app.pool, app.tokenKeys, { organizationId, userId: me.userId, scopes: ['read'] })
  const stranger = await member()
  assert.equal((await remove(runId, reader)).status, 403)
  assert.equal((await remove(runId, stranger.token)).status, 403)
  const elsewhere = `${stranger.path}/agent/run/${runId}`
  assert.equal((await ask(elsewhere, { method: 'DELETE', token: stranger.token })).status, 404)
  assert.equal((await ask(`${me.path}/agent/run/${runId}`, { token: me.token })).status, 200)
})

test('what a process has read before is not shown after the deletion, and a stranger does not learn of it', async () => {
  const runId = await makeRun()
  const paths = ['', '/logs'].map((more) => `${me.path}/agent/run/${runId}${more}`)
  const tags: string[] = []
  for (const path of paths) tags.push(String((await ask(path, { token: me.token })).headers.get('etag')))
  assert.equal((await remove(runId, me.token)).status, 204)
  for (const [n, path] of paths.entries()) {
    const again = await ask(path, { token: me.token, headers: { 'if-none-match': tags[n]! } })
    assert.equal(again.status, 404)
    assert.match(String(again.body.message), /was deleted on/)
  }
  const stranger = await member()
  const unknown = await ask(`${stranger.path}/agent/run/${runId}`, { token: stranger.token })
  assert.match(String(unknown.body.message), /There is no run/)
})

test('an ADMIN decides how long what is kept; what is left out stays, and null keeps it', async () => {
  const patch = (retention: object, token = me.token) =>
    ask(me.path, { method: 'PATCH', token, body: { settings: { retention } } })
  const settings = async (retention: object) =>
    ((await patch(retention)).body.settings as { retention: Record<string, number | null> }).retention
  const nothing = { runs: null, logs: null, artifacts: null, egress: null, model_calls: null, repositories: null }
  assert.deepEqual(await settings({}), nothing)
  assert.deepEqual(await settings({ runs: 365, logs: 30 }), { ...nothing, runs: 365, logs: 30 })
  assert.deepEqual(await settings({ logs: null, egress: 7 }), { ...nothing, runs: 365, egress: 7 })
  for (const days of [0, -1, 1.5, 36_501, 'x']) assert.equal((await patch({ runs: days })).status, 400)
  const archive = async (archive_logs_after_days: unknown) => {
    const answer = await ask(me.path, {
      method: 'PATCH',
      token: me.token,
      body: { settings: { archive_logs_after_days } },
    })
    return answer.status === 200
      ? (answer.body.settings as { archive_logs_after_days: number | null }).archive_logs_after_days
      : answer.status
  }
  assert.deepEqual([await archive(30), await archive(undefined), await archive(null)], [30, 30, null])
  assert.deepEqual([await archive(0), await archive(36_501)], [400, 400])
  const { token } = await makeMember()
  assert.equal((await patch({ runs: 1 }, token)).status, 403)
})
