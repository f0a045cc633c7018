import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'

const api = await testApp()
const { app, ask } = api

const get = async ({ path, ids, token }: World) => (await ask(`${path}/prs/${ids['pr_id']}`, { token })).body
const change = ({ path, ids, token }: World, labels: string[]) =>
  ask(`${path}/prs/${ids['pr_id']}`, { method: 'PATCH', token, body: { labels } })
const listOf = async ({ path, token }: World, label: string) =>
  (await ask(`${path}/prs?label=${encodeURIComponent(label)}`, { token })).body['total']

test('an agent adds labels to those that people have set, each once', async () => {
  const world = await makeWorld(api)
  const { organizationId, ids } = world
  const repo = await getRepo(app.pool, { organizationId, repoId: ids['repo_id']! })
  const { number } = (await get(world)) as { number: number }
  const add = (labels: string[]) => app.hosts.forge(repo).addLabels!(repo, number, labels)
  assert.deepEqual((await get(world))['labels'], [])
  await change(world, ['needs review', ' needs review ', 'ui'])
  for (let time = 1; time <= 2; time++) await add(['by an agent', 'ui'])
  assert.deepEqual((await get(world))['labels'], ['needs review', 'ui', 'by an agent'])
  assert.deepEqual([await listOf(world, 'by an agent'), await listOf(world, 'agent')], [1, 0])
  await change(world, [])
  assert.deepEqual((await get(world))['labels'], [])
  await add(Array.from({ length: limits.issueLabelsMax + 5 }, (_, n) => `label ${n}`))
  assert.equal(((await get(world))['labels'] as string[]).length, limits.issueLabelsMax)
  await assert.rejects(app.hosts.forge(repo).addLabels!(repo, 999, ['x']))
})

test('too many labels, or one too long, are refused, and so are those of another host', async () => {
  const world = await makeWorld(api)
  const many = Array.from({ length: limits.issueLabelsMax + 1 }, (_, n) => `label ${n}`)
  assert.equal((await change(world, many)).status, 400)
  assert.equal((await change(world, ['x'.repeat(limits.pullLabelCharactersMax + 1)])).status, 400)
  await app.pool.query(`update repos set host = 'github' where organization_id = $1`, [world.organizationId])
  const { status, body } = await change(world, ['x'])
  assert.deepEqual([status, body['code']], [409, 'conflict'])
})
