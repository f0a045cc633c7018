import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { folderBytes } from '#adapters/codehosts/local/repository-folder.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { removeRepo } from '#domain/repos/repos/remove-repo.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, testFolder } from '#test/test-git.ts'
import { collectRepositories } from './collect-repositories.ts'

const db = await testDb()
await saveStorageLimits(db, { organization: 2 ** 30, repo: 2 ** 30, run: 2 ** 30 })
const folder = path.join(await testFolder(), 'repos')
const MB = 1_000_000

/** An agent's repository with this many pushes of a new file of 2 MB, each of which forgets the one before. */
async function pushOverAndOver(times: number) {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  let repoId = 0
  const host = openLocalHost({
    folder,
    takeBytes: (_repo, { bytes }) => whyNotTaken(db, { organizationId, repoId, runId: null, bytes }),
  })
  const repo = await createRepo(db, { organizationId, admin: host, name: 'web' })
  repoId = repo.id
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'read.me': 'hello\n' })
  const commits: string[] = []
  for (let n = 0; n < times; n++) {
    await tree.git('reset', '--quiet', '--hard', first)
    const commit = await tree.commit({ 'noise.bin': randomBytes(2 * MB) }, `try ${n}`)
    const expected = commits.at(-1) ?? null
    const push = { branch: 'agent/1', expected, commit, pack: tree.pack(commit), stillAllowed: async () => true }
    assert.partialDeepStrictEqual(await host.push(repo, push), { pushed: true })
    commits.push(commit)
  }
  const objects = path.join(folder, repo.path, 'objects')
  return { organizationId, userId, host, repo, tree, commits, onDisk: () => folderBytes(objects) }
}

type Pushed = Awaited<ReturnType<typeof pushOverAndOver>>
const due = () => db.query(`update storage set look_at = now() where scope = 'repo'`)
const collect = async ({ host }: Pushed, keptMs: number) => {
  await due()
  await collectRepositories(
    { pool: db, hosts: { admin: host }, config: { gitUrl: null } },
    { keptMs, deadBytesMin: MB },
  )
}
const counted = async ({ organizationId }: Pushed) => (await getStorage(db, { organizationId })).used.git

test('eight pushes that each forget the one before leave one, once those before are old enough', async () => {
  const pushed = await pushOverAndOver(8)
  assert.ok((await pushed.onDisk()) > 16 * MB)
  assert.ok((await counted(pushed)) > 16 * MB)
  await collect(pushed, 60 * 60_000)
  assert.ok((await pushed.onDisk()) > 16 * MB, 'what is young stays')
  await collect(pushed, -60_000)
  assert.ok((await pushed.onDisk()) < 2.2 * MB)
  assert.equal(await counted(pushed), await pushed.onDisk())
  const { branches } = await pushed.host.mirror(pushed.repo)
  assert.equal(branches.get('agent/1'), pushed.commits.at(-1))
  await pushed.tree.git('clone', '--quiet', '--bare', path.join(folder, pushed.repo.path), 'copy.git')
})

test('what runs and pull requests compare stays, though no branch holds it', async () => {
  const pushed = await pushOverAndOver(3)
  const { organizationId, userId, repo, commits, host } = pushed
  const run = await makeRun(db, { organizationId, userId, repoId: repo.id })
  await db.query('update runs set branch_commit = $2 where id = $1', [run.id, commits[0]])
  await collect(pushed, -60_000)
  const left = await pushed.onDisk()
  assert.ok(left > 4 * MB && left < 4.4 * MB, String(left))
  assert.match(await host.diff(repo, { base: null, head: commits[0]!, bytesMax: MB }), /noise\.bin/)
  await db.query('update runs set branch_commit = null where id = $1', [run.id])
  await collect(pushed, -60_000)
  assert.ok((await pushed.onDisk()) < 2.2 * MB)
})

test('pushes and clones while it is collected go through, and are whole', async () => {
  const pushed = await pushOverAndOver(6)
  const { host, repo, tree } = pushed
  const bare = path.join(folder, repo.path)
  let expected = pushed.commits.at(-1)!
  const collecting = (async () => {
    for (let n = 0; n < 4; n++) await collect(pushed, -60_000)
  })()
  for (let n = 0; n < 4; n++) {
    const commit = await tree.commit({ [`more-${n}.bin`]: randomBytes(MB) })
    const push = {
      branch: 'agent/1',
      expected,
      commit,
      pack: tree.pack(commit, expected),
      stillAllowed: async () => true,
    }
    assert.partialDeepStrictEqual(await host.push(repo, push), { pushed: true })
    expected = commit
    await tree.git('clone', '--quiet', '--bare', '--no-local', bare, `copy-${n}.git`)
    await tree.git(`--git-dir=copy-${n}.git`, 'fsck', '--connectivity-only')
  }
  await collecting
  await tree.git('clone', '--quiet', '--bare', '--no-local', bare, 'last.git')
  assert.equal(await tree.git('--git-dir=last.git', 'rev-parse', 'agent/1'), expected)
})

test('a repository that has been removed takes up nothing', async () => {
  const pushed = await pushOverAndOver(1)
  await removeRepo(db, { organizationId: pushed.organizationId, repoId: pushed.repo.id, admin: pushed.host })
  assert.equal(await counted(pushed), 0)
})
