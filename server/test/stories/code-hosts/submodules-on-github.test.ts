/** Whose submodules a run on GitHub has: those of repositories that are connected, and that who asks there may read. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { openWorkTree, testFolder } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'
import { startOnGitHub } from './start-on-github.ts'

const model = await startModelServer(() => ({ calls: [{ name: 'finish', input: { summary: 'Done.', checks: [] } }] }))
after(() => model.close())
const db = await testDb()
const { github, repository, repo, integrationId, ada, service, at, runs } = await startOnGitHub({
  databaseUrl: db.url,
  env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
  defer: after,
})
repository.workflow = null
const bob = github.addPerson('bob')
repository.roles.set(bob.account.id, 'write')
const add = (owner: string, name: string, roles: Record<string, 'admin' | 'read'>) =>
  github.addRepository({ owner, name, files: { 'lib.txt': `${owner}/${name}\n` }, isPrivate: true, roles })
const lib = await add('acme', 'lib', { ada: 'read' })
const unconnected = await add('elsewhere', 'unconnected', { ada: 'admin' })
await service.call('POST', `${at}/repos`, { integration_id: integrationId, full_name: 'acme/lib' })

const tree = openWorkTree(await testFolder())
await tree.git('clone', '--quiet', repository.folder, '.')
const urls = {
  lib: '../lib.git',
  over: `git@127.0.0.1:acme/lib.git`,
  unconnected: `${github.url}/elsewhere/unconnected`,
}
for (const at of Object.keys(urls)) {
  const commit = await (at === 'unconnected' ? unconnected : lib).git('rev-parse', 'main')
  await tree.git('update-index', '--add', '--cacheinfo', `160000,${commit},${at}`)
}
const named = Object.entries(urls).map(([at, url]) => `[submodule "${at}"]\n\tpath = ${at}\n\turl = ${url}\n`)
const links = await tree.git('ls-files', '--stage')
await tree.commit({ '.gitmodules': named.join('') })
for (const [, commit, path] of links.matchAll(/^160000 (\S+) 0\t(.*)$/gm))
  await tree.git('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`)
await tree.git('commit', '--quiet', '--amend', '--no-edit')
await tree.git('push', '--quiet', 'origin', 'HEAD:main')

type Told = { checked_out: { path: string }[]; left_empty: { path: string; reason: string }[] }

async function toldIn(id: number): Promise<Record<string, string>> {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const entry = (await service.log(id)).find(({ tool_name }) => tool_name === 'submodules')
  const { checked_out, left_empty } = (entry?.tool_output ?? {}) as Told
  return Object.fromEntries([
    ...checked_out.map(({ path }) => [path, 'there']),
    ...left_empty.map(({ path, reason }) => [path, reason]),
  ])
}

async function ask(person: typeof ada): Promise<Record<string, string>> {
  const before = (await runs()).length
  const issue = await ada.ask<{ number: number }>('POST', '/repos/acme/price-list/issues', { title: 'Look' })
  await person.ask('POST', `/repos/acme/price-list/issues/${issue.number}/comments`, { body: '@runwright look' })
  await until(async () => (await runs()).length > before, 'a run has started')
  return toldIn((await runs()).at(-1)!.id)
}

test('a member’s run has the submodules that are connected, over SSH addresses too, and the log names the others', async () => {
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt: 'Look', repo_id: repo.id })
  const { lib, over, unconnected } = await toldIn(id)
  assert.deepEqual([lib, over], ['there', 'there'])
  assert.match(unconnected ?? '', /Connect that repository/)
})

test('who asks on GitHub gets by a submodule what they may read there, and nothing else', async () => {
  assert.equal((await ask(ada))['lib'], 'there')
  const { lib, over } = await ask(bob)
  assert.match(lib ?? '', /may not read it/)
  assert.equal(over, lib)
})
