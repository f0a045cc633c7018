import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { openGitHubUnderTest } from '#test/open-code-hosts.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree } from '#test/test-git.ts'
import { askMirror } from './ask-mirror.ts'

const db = await testDb()

test('who starts a run is told that there is no room for what is new in its repository', async () => {
  const { git, repo, there, organizationId } = await (await openGitHubUnderTest(db)).makeRepository()
  const tree = await makeWorkTree()
  await tree.commit({ 'noise.bin': randomBytes(100_000) })
  await tree.git('push', '--quiet', there.folder, 'HEAD:refs/heads/main')
  await limitStorage(db, { organizationId, bytesMax: 0, byOperator: false })
  await assert.rejects(askMirror({ hosts: { git: () => git } }, repo), {
    code: 'storage_full',
    message: /may store 0 MiB/,
  })
  await limitStorage(db, { organizationId, bytesMax: 2 ** 20, byOperator: false })
  assert.ok((await askMirror({ hosts: { git: () => git } }, repo)).branches.has('main'))
})
