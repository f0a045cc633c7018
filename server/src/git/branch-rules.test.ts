import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { git } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, testFolder } from '#test/test-git.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, defer: after })
const at = `/v1/organizations/${service.organizationId}`

test('what a rule protects is pushed to by pull requests alone; a force push is a setting', async () => {
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, { name: 'web' })
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token }).href
  const protect = (...rules: object[]) =>
    service.call<{ branch_rules: object[] }>('PATCH', `${at}/repos/${repo.id}`, { branch_rules: rules })
  // Where there is no branch yet, there is nothing to protect.
  const { branch_rules: rules } = await protect({ pattern: 'main' }, { pattern: 'release/*', require_pull: false })
  assert.partialDeepStrictEqual(rules, [
    { pattern: 'main', require_pull: true, required_checks: [], required_approvals: 0, allow_force_push: false },
    { pattern: 'release/*', require_pull: false },
  ])
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'README.md': 'hello\n' })
  await tree.git('push', '--quiet', url, 'main', 'HEAD:release/1', 'HEAD:topic')
  const push = async (...words: string[]) => (await tree.tryGit('push', url, ...words)).stderr
  const second = await tree.commit({ 'a.txt': 'a\n' })
  assert.match(await push('main'), /main \(a rule protects this branch: push another one and open a pull request\)/)
  assert.match(await push('HEAD:release/1'), /main -> release\/1|HEAD -> release\/1/)
  assert.match(await push('--delete', 'release/1'), /a rule protects this branch: it may not be deleted/)
  await tree.git('reset', '--quiet', '--hard', first)
  await tree.commit({ 'b.txt': 'b\n' })
  assert.match(await push('--force', 'HEAD:release/1'), /non-fast-forward/)
  assert.match(await push('--force', 'HEAD:release/1', 'HEAD:topic'), /release\/1 \(non-fast-forward\)/)
  await protect({ pattern: 'main', require_pull: false, allow_force_push: true })
  assert.match(await push('main'), /main -> main/)
  await tree.git('reset', '--quiet', '--hard', first)
  const third = await tree.commit({ 'c.txt': 'c\n' })
  assert.match(await push('--force', 'main'), /forced update/)
  const clone = path.join(await testFolder(), 'clone')
  git('/', 'clone', '-q', url, clone)
  assert.equal(git(clone, 'rev-parse', 'origin/main').trim(), third)
  assert.equal(git(clone, 'rev-parse', 'origin/release/1').trim(), second)
})

test('rules that cannot be kept are refused in a sentence', async () => {
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'api' })
  const change = async (rule: object) =>
    (await service.ask('PATCH', `${at}/repos/${repo.id}`, { branch_rules: [rule] })).status
  assert.equal(await change({}), 400)
  assert.equal(await change({ pattern: '' }), 400)
  assert.equal(await change({ pattern: 'main', required_approvals: 11 }), 400)
  assert.equal(await change({ pattern: 'main', required_checks: ['x'.repeat(1_000)] }), 400)
  assert.equal(await change({ pattern: '*'.repeat(250), required_approvals: 10 }), 200)
})
