import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeUsage } from '#test/make-usage.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member } = await testApp()
const mask = openRedactor([]).mask

/** An organization whose only run has spent so much. */
async function spender(costUsd: number) {
  const me = await member()
  const { run, holder } = await makeHeldRun(app.pool, me)
  const { step } = await startStep(app.pool, { holder, key: 't1/model/1', kind: 'model', request: {} })
  await finishStep(app.pool, { holder, step, response: null, entries: [], usage: makeUsage({ costUsd }), mask })
  const send = (method: string, path: string, body?: object) =>
    ask(me.path + path, { method, token: me.token, ...(body && { body }) })
  return { ...me, run, send }
}

test('a budget says what is spent of it, and is changed and removed', async () => {
  const { send, userId } = await spender(1.5)
  const made = await send('POST', '/budgets', { limit_usd: 2, user_id: userId })
  assert.equal(made.status, 201)
  assert.partialDeepStrictEqual(made.body, {
    user_id: userId,
    repo_id: null,
    period: 'month',
    limit_usd: 2,
    spent_usd: 1.5,
  })
  assert.match(String(made.body.renews_at), /^\d{4}-\d\d-01T00:00:00\.000Z$/)
  const path = `/budgets/${String(made.body.id)}`
  const changed = await send('PATCH', path, { period: 'total' })
  assert.deepEqual(changed.body, { ...made.body, period: 'total', renews_at: null })
  assert.deepEqual((await send('GET', '/budgets')).body.items, [changed.body])
  assert.equal((await send('DELETE', path)).status, 204)
  assert.deepEqual((await send('GET', '/budgets')).body.items, [])
  for (const body of [{}, { limit_usd: -1 }, { limit_usd: 1, period: 'year' }, { limit_usd: '1' }])
    assert.equal((await send('POST', '/budgets', body)).status, 400, JSON.stringify(body))
})

test('where a budget is used up no run is made, and a dry run says so', async () => {
  const { send } = await spender(1.5)
  await send('POST', '/budgets', { limit_usd: 1.5, period: 'day' })
  const request = { prompt: 'Go', agent_type: 'scripted' }
  const refused = await send('POST', '/agent/run', request)
  assert.deepEqual([refused.status, refused.body.code], [402, 'budget_reached'])
  assert.match(String(refused.body.message), /^Budget \d+ of 1\.50 USD a day is used up, until /)
  const dry = await send('POST', '/agent/run', { ...request, dry_run: true })
  assert.deepEqual([dry.status, dry.body.blocked_by], [200, 'budget_reached'])
})

test('usage is told apart by what one asks for', async () => {
  const { send, userId } = await spender(1.5)
  const today = new Date().toISOString().slice(0, 10)
  const counted = { calls: 1, input_tokens: 100, cached_input_tokens: 0, output_tokens: 10, cost_usd: 1.5 }
  const nothing = { day: null, user_id: null, repo_id: null, agent_type: null, model: null }
  const items = async (query: string) => (await send('GET', `/usage${query}`)).body.items
  assert.deepEqual(await items(''), [{ ...nothing, ...counted, day: today }])
  const model = 'anthropic/claude-sonnet-4-5'
  assert.deepEqual(await items('?group_by=user&group_by=model&group_by=user'), [
    { ...nothing, ...counted, user_id: userId, model },
  ])
  assert.deepEqual(await items(`?to=2020-01-01`), [])
  assert.partialDeepStrictEqual(await items(`?from=${today}&to=${today}&user_id=${userId}`), [{ day: today }])
  for (const query of ['?from=2026-02-31', '?from=0000-01-01', '?to=today', '?group_by=week', '?from=2026-1-1'])
    assert.equal((await send('GET', `/usage${query}`)).status, 400, query)
})
