import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitEach } from '#test/commit-to.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'

const testing = await testApp()

test('lists branches by name after the default one, page by page, and those that hold some words', async () => {
  const world = await makeWorld(testing)
  const names = ['z', 'a/One', 'a/two']
  const commits = commitEach(
    world.repository,
    names.map((branch) => ({ branch, from: 'main', files: { [branch]: 'x' } })),
  )
  const list = async (query: string) => {
    const path = `${world.path}/repos/${world.ids.repo_id}/branches${query}`
    const { status, body } = await testing.ask(path, { token: world.token })
    assert.equal(status, 200)
    return body as { items: { name: string; commit: string; is_default: boolean }[]; total: number; pages: number }
  }
  const all = await list('')
  assert.deepEqual(
    all.items.map(({ name }) => name),
    ['main', 'a/One', 'a/two', world.word, 'z'],
  )
  assert.deepEqual(
    all.items.map(({ is_default: isDefault }) => isDefault),
    [true, false, false, false, false],
  )
  assert.equal(all.items.at(-1)?.commit, commits[0])
  const page = await list('?skip=1&limit=2')
  assert.deepEqual(page.items, all.items.slice(1, 3))
  assert.partialDeepStrictEqual(page, { total: 5, pages: 3 })
  const found = await list('?q=A/o')
  assert.deepEqual([found.items, found.total], [[all.items[1]], 1])
  assert.equal((await list('?q=nothing')).total, 0)
})

test('a repository without commits has no branches', async () => {
  const { path, token } = await testing.member('MANAGER')
  const made = await testing.ask(`${path}/repos`, { method: 'POST', token, body: { name: 'empty' } })
  const { body } = await testing.ask(`${path}/repos/${Number(made.body.id)}/branches`, { token })
  assert.deepEqual([body.items, body.total], [[], 0])
})
