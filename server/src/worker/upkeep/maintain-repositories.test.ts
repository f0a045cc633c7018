import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { folderBytes } from '#adapters/codehosts/local/repository-folder.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { openLogger } from '#base/logger.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, testFolder } from '#test/test-git.ts'
import { collectRepositories } from './collect-repositories.ts'
import { maintainRepositories } from './maintain-repositories.ts'

const db = await testDb()

test('what a run has pushed many times is put together by the process that took it, and counts for less then', async () => {
  const folder = path.join(await testFolder(), 'repos')
  const { id: organizationId } = await makeOrganization(db)
  let repoId = 0
  const host = openLocalHost({
    folder,
    takeBytes: (_repo, { bytes }) => whyNotTaken(db, { organizationId, repoId, runId: null, bytes }),
  })
  const repo = await createRepo(db, { organizationId, admin: host, name: 'web' })
  repoId = repo.id
  const tree = await makeWorkTree()
  let expected: string | null = null
  for (let n = 0; n <= gitLimits.packsMax; n++) {
    const commit: string = await tree.commit({ 'read.me': `hello ${n}\n`.repeat(100) })
    const pack = tree.pack(commit, ...(expected ? [expected] : []))
    const stillAllowed = async () => true
    assert.partialDeepStrictEqual(await host.push(repo, { branch: 'agent/1', expected, commit, pack, stillAllowed }), {
      pushed: true,
    })
    expected = commit
  }
  const counted = async () => (await getStorage(db, { organizationId })).used.git
  const before = await counted()
  const app = { pool: db, hosts: { admin: host }, logger: openLogger({ level: 'silent' }), config: { gitUrl: null } }
  await maintainRepositories(app)
  const objects = path.join(folder, repo.path, 'objects')
  assert.equal((await readdir(path.join(objects, 'pack'))).filter((name) => name.endsWith('.pack')).length, 1)
  await collectRepositories(app)
  assert.equal(await counted(), await folderBytes(objects))
  assert.ok((await counted()) < before)
  assert.equal((await host.mirror(repo)).branches.get('agent/1'), expected)
})
