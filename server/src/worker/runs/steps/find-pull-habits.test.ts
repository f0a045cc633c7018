import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '#app/app.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { commitTo } from '#test/commit-to.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { findPullHabits } from './find-pull-habits.ts'

const testing = await testApp()
const app = testing.app as unknown as App

async function setScene() {
  const world = await makeWorld(testing)
  const ref = await getRepo(app.pool, { organizationId: world.organizationId, repoId: world.ids.repo_id! })
  const commit = (message: string, files: Record<string, string>) =>
    commitTo(world.repository, { branch: 'main', files, message })
  return { commit, habitsAt: (at: string) => findPullHabits(app, { ref, commit: at }) }
}

test('the template of pull requests is found where GitHub has it, in whichever case; the first place counts', async () => {
  const { commit, habitsAt } = await setScene()
  const at = async (path: string) => (await habitsAt(commit('Work', { [path]: `of ${path}` })))?.template
  assert.equal(
    (await habitsAt(commit('Work', { 'docs/template.md': 'x', 'src/pull_request_template.md': 'x' })))?.template,
    null,
  )
  for (const path of ['docs/Pull_Request_Template.md', 'PULL_REQUEST_TEMPLATE', '.github/pull_request_template.md'])
    assert.equal(await at(path), `of ${path}`)
  const large = commit('Work', { '.github/pull_request_template.md': 'x'.repeat(70_000) })
  assert.equal(await habitsAt(large), null)
})

test('commits are called by a convention where most of the newest are', async () => {
  const { commit, habitsAt } = await setScene()
  commit('feat: a', { a: '1' })
  assert.equal((await habitsAt(commit('fix(a): b', { a: '2' })))?.areConventional, false)
  commit('docs: c', { a: '3' })
  assert.equal((await habitsAt(commit('chore(deps)!: d', { a: '4' })))?.areConventional, true)
  for (let n = 5; n < 12; n++) commit(`Otherwise ${n}`, { a: `${n}` })
  assert.equal((await habitsAt(commit('Otherwise', { a: '12' })))?.areConventional, false)
})
