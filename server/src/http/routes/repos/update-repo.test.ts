import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/test-app.ts'

const { ask, member } = await testApp()

test('runs of a repository get its default engine unless they name one, and only one that there is', async () => {
  const { path, token } = await member()
  const send = async (method: string, at: string, body: object) => ask(`${path}${at}`, { method, token, body })
  const { id } = (await send('POST', '/repos', { name: 'ledger' })).body
  const engineOfRun = async (more: object = {}) =>
    (await send('POST', '/agent/run', { prompt: 'Go', repo_id: id, ...more })).body.agent_type
  assert.equal(await engineOfRun(), 'repair')
  const changed = await send('PATCH', `/repos/${id}`, { default_engine: 'scripted' })
  assert.equal(changed.body.default_engine, 'scripted')
  assert.equal(await engineOfRun(), 'scripted')
  assert.equal(await engineOfRun({ agent_type: 'repair' }), 'repair')
  const refused = await send('PATCH', `/repos/${id}`, { default_engine: 'telepathy' })
  assert.partialDeepStrictEqual(refused, {
    status: 400,
    body: { code: 'engine_unavailable', message: 'There is no engine "telepathy" here.' },
  })
  assert.equal((await send('PATCH', `/repos/${id}`, { labels: ['gpu'] })).body.default_engine, 'scripted')
  assert.equal((await send('PATCH', `/repos/${id}`, { default_engine: null })).body.default_engine, null)
  assert.equal(await engineOfRun(), 'repair')
})
