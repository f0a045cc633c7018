import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { migrate } from '#db/migrate.ts'
import { listRuns } from '#domain/runs/runs/list-runs.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { makeUsage } from '#test/make-usage.ts'
import { testDb } from '#test/test-db.ts'
import { listUsage, type ListUsage } from './list-usage.ts'

const db = await testDb()
const { id: organizationId, adminId: userId } = await makeOrganization(db)
const mask = openRedactor([]).mask

/** A run of this engine that has asked these models, for so much each. */
async function ask(agentType: string, costs: Record<string, number | null>): Promise<void> {
  const { holder } = await makeHeldRun(db, { organizationId, userId, agentType })
  for (const [model, costUsd] of Object.entries(costs)) {
    const { step } = await startStep(db, { holder, key: model, kind: 'model', request: {} })
    await finishStep(db, {
      holder,
      step,
      response: null,
      entries: [],
      usage: makeUsage({ model, costUsd, cacheReadTokens: 40 }),
      mask,
    })
  }
}
const list = (options: Partial<ListUsage>) =>
  listUsage(db, { organizationId, groups: ['day'], skip: 0, limit: 100, ...options })

test('what models were asked is added up by what one wants to know', async () => {
  await ask('builtin', { 'anthropic/a': 0.5, 'openai/b': 0.25 })
  await ask('builtin', { 'anthropic/a': 0.5 })
  await db.query(`update usage_days set day = '2026-01-31' where organization_id = $1`, [organizationId])
  await ask('scripted', { 'anthropic/a': 2, 'openai/own': null })
  const today = new Date().toISOString().slice(0, 10)
  const nothing = { day: null, userId: null, repoId: null, agentType: null, model: null }
  const counted = (calls: number) => ({
    calls,
    inputTokens: calls * 100,
    cachedInputTokens: calls * 40,
    outputTokens: calls * 10,
  })

  assert.deepEqual((await list({})).items, [
    { ...nothing, day: today, ...counted(2), costUsd: 2 },
    { ...nothing, day: '2026-01-31', ...counted(3), costUsd: 1.25 },
  ])
  assert.deepEqual((await list({ groups: ['model'] })).items, [
    { ...nothing, model: 'anthropic/a', ...counted(3), costUsd: 3 },
    { ...nothing, model: 'openai/b', ...counted(1), costUsd: 0.25 },
    { ...nothing, model: 'openai/own', ...counted(1), costUsd: null },
  ])
  assert.deepEqual((await list({ groups: ['engine', 'user'] })).items, [
    { ...nothing, agentType: 'scripted', userId, ...counted(2), costUsd: 2 },
    { ...nothing, agentType: 'builtin', userId, ...counted(3), costUsd: 1.25 },
  ])
  assert.partialDeepStrictEqual(await list({ to: '2026-01-31' }), { items: [{ day: '2026-01-31' }], total: 1 })
  assert.partialDeepStrictEqual(await list({ from: '2026-02-01' }), { items: [{ day: today }], total: 1 })
})

test('a page past the end is empty and knows how many there are', async () => {
  assert.deepEqual(await list({ skip: 5 }), { items: [], total: 2 })
  assert.partialDeepStrictEqual(await list({ skip: 1, limit: 1 }), { items: [{ day: '2026-01-31' }], total: 2 })
  assert.deepEqual(await list({ userId: userId + 1_000_000 }), { items: [], total: 0 })
})

test('runs that were stored by the other name of the built-in agent are found and counted with the rest', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const add = async (name: string) => {
    const { run, holder } = await makeHeldRun(db, { organizationId, userId, agentType: 'builtin' })
    await db.query('update runs set agent_type = $1 where id = $2', [name, run.id])
    const { step } = await startStep(db, { holder, key: 'a', kind: 'model', request: {} })
    const usage = makeUsage({ model: 'anthropic/a', costUsd: 0.5 })
    await finishStep(db, { holder, step, response: null, entries: [], usage, mask })
  }
  await add('builtin')
  await add('codegen')
  await add('codegen')
  await db.query('drop trigger runs_name_engine on runs; drop function name_engine')
  await db.query(`delete from migrations where name like '0089-%'`)
  await migrate(db)

  const groups: ListUsage['groups'] = ['engine']
  const { items } = await listUsage(db, { organizationId, groups, skip: 0, limit: 100 })
  assert.deepEqual(
    items.map(({ agentType, calls, costUsd }) => [agentType, calls, costUsd]),
    [['builtin', 3, 1.5]],
  )
  // The previous version still asks for it by that name.
  const { run } = await makeHeldRun(db, { organizationId, userId, agentType: 'codegen' })
  const filters = { agentType: 'builtin' }
  const found = await listRuns(db, { organizationId, skip: 0, limit: 100, filters })
  assert.deepEqual([found.total, found.items[0]?.id], [4, run.id])
})
