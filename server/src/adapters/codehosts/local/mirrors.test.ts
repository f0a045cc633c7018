// What mirrors of repositories on other hosts take up of their organization's storage.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { removeRepo } from '#domain/repos/repos/remove-repo.ts'
import { forgetGitBytes } from '#domain/accounts/storage/forget-git-bytes.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { lookAtMirrors } from '#domain/accounts/storage/look-at-mirrors.ts'
import { openGitHubUnderTest, type GitHubRepository } from '#test/open-code-hosts.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree } from '#test/test-git.ts'
import { collectRepositories } from '#worker/upkeep/collect-repositories.ts'
import { folderBytes } from './repository-folder.ts'

const db = await testDb()
const under = await openGitHubUnderTest(db)
const MB = 1_000_000
const GiB = 2 ** 30

/** A repository elsewhere that somebody has pushed so many bytes to, and what pushes more to it. */
async function makeElsewhere(bytes: number) {
  const repository = await under.makeRepository()
  const tree = await makeWorkTree()
  const push = async (name: string, size: number) => {
    const commit = await tree.commit({ [name]: randomBytes(size) }, name)
    await tree.git('push', '--quiet', '--force', repository.there.folder, 'HEAD:refs/heads/main')
    return commit
  }
  const commit = await push('first.bin', bytes)
  const { organizationId } = repository
  const allow = (bytesMax: number) => limitStorage(db, { organizationId, bytesMax, byOperator: true })
  return { ...repository, tree, push, commit, allow }
}

const usedBy = async ({ organizationId }: GitHubRepository) => (await getStorage(db, { organizationId })).used
const onDisk = ({ mirror }: GitHubRepository) => folderBytes(path.join(mirror, 'objects'))
const isFull = (error: unknown) =>
  error instanceof HostError &&
  error.code === 'storage_full' &&
  /^The organization may store \d+ MiB, and this would make it \d+ MiB\. .*RUNWRIGHT_STORAGE_MIB/.test(error.message)
const collect = async ({ admin, repoId }: GitHubRepository, mirrorsAlone = false) => {
  await db.query(`update storage set look_at = now() where scope = 'repo' and id = $1`, [repoId])
  const config = { gitUrl: mirrorsAlone ? 'http://127.0.0.1:1' : null }
  await collectRepositories({ pool: db, hosts: { admin }, config }, { keptMs: -60_000, deadBytesMin: MB })
}

test('a mirror counts as it comes in, under a kind of its own, and again only what is new', async () => {
  const elsewhere = await makeElsewhere(MB)
  const { git, repo, commit } = elsewhere
  for (let n = 0; n < 2; n++) {
    assert.equal((await git.mirror(repo)).branches.get('main'), commit)
    const used = await usedBy(elsewhere)
    assert.ok(used.mirrors > MB && used.mirrors < 1.1 * MB, String(used.mirrors))
    assert.deepEqual([used.git, used.bytes], [0, used.mirrors])
  }
  const next = await elsewhere.push('second.bin', MB)
  assert.equal((await git.mirror(repo)).branches.get('main'), next)
  assert.equal((await usedBy(elsewhere)).mirrors, await onDisk(elsewhere))
})

test('what there is no room for does not come in, and leaves nothing; with room again it does', async () => {
  const elsewhere = await makeElsewhere(3 * MB)
  const { git, repo, mirror, commit } = elsewhere
  await elsewhere.allow(2 * MB)
  await assert.rejects(git.mirror(repo), isFull)
  assert.equal(await onDisk(elsewhere), 0)
  assert.equal((await usedBy(elsewhere)).bytes, 0)
  assert.deepEqual(await readdir(path.join(path.dirname(path.dirname(mirror)), '.incoming')), [])
  await elsewhere.allow(4 * MB)
  assert.equal((await git.mirror(repo)).branches.get('main'), commit)

  const next = await elsewhere.push('second.bin', 2 * MB)
  await assert.rejects(git.mirror(repo), isFull)
  await assert.rejects(git.mirror(repo, { commits: [next] }), isFull)
  assert.ok((await onDisk(elsewhere)) < 3.1 * MB)
  await elsewhere.allow(GiB)
  assert.equal((await git.mirror(repo, { commits: [next] })).branches.get('main'), next)
})

test('branches that go and come back cost nothing, also where there is no room', async () => {
  const elsewhere = await makeElsewhere(MB)
  const { git, repo, tree, there, commit } = elsewhere
  await git.mirror(repo)
  await elsewhere.allow(0)
  await tree.git('push', '--quiet', there.folder, `${commit}:refs/heads/other`)
  assert.equal((await git.mirror(repo)).branches.get('other'), commit)
  await tree.git('push', '--quiet', there.folder, ':refs/heads/other')
  assert.equal((await git.mirror(repo)).branches.has('other'), false)
})

test('what no branch there holds any more is collected, and a removed repository gives all back', async () => {
  const elsewhere = await makeElsewhere(2 * MB)
  const { git, admin, repo, repoId, organizationId, tree, mirror } = elsewhere
  await git.mirror(repo)
  await tree.git('checkout', '--quiet', '--orphan', 'anew')
  await tree.git('rm', '--quiet', '-r', '--force', '.')
  const commit = await elsewhere.push('small.txt', 10)
  await git.mirror(repo)
  assert.ok((await onDisk(elsewhere)) > 2 * MB)
  // Also where the built-in host's repositories lie behind another machine.
  await collect(elsewhere, true)
  assert.ok((await onDisk(elsewhere)) < 0.1 * MB)
  assert.equal((await usedBy(elsewhere)).mirrors, await onDisk(elsewhere))
  assert.equal((await git.mirror(repo)).branches.get('main'), commit)
  await elsewhere.allow(0)
  await removeRepo(db, { organizationId, repoId, admin })
  assert.equal(existsSync(mirror), false)
  assert.equal((await usedBy(elsewhere)).bytes, 0)
})

test('a mirror that was here before mirrors counted is looked at and counted once', async () => {
  const elsewhere = await makeElsewhere(MB)
  await elsewhere.git.mirror(elsewhere.repo)
  const { organizationId, repoId } = elsewhere
  await forgetGitBytes(db, { organizationId, repoId })
  assert.equal((await usedBy(elsewhere)).bytes, 0)
  for (let n = 0; n < 2; n++) {
    await lookAtMirrors(db)
    await collectRepositories({ pool: db, hosts: elsewhere, config: { gitUrl: null } })
    assert.equal((await usedBy(elsewhere)).mirrors, await onDisk(elsewhere))
  }
})

test('a mirror that another machine holds is left to that one', async () => {
  const [here, away] = [await makeElsewhere(MB), await makeElsewhere(MB)]
  for (const { git, repo } of [here, away]) await git.mirror(repo)
  await away.admin.removeRepository(away.repo)
  await db.query(`update storage set look_at = now() - interval '1 hour' where scope = 'repo' and id = $1`, [
    away.repoId,
  ])
  await collect(here)
  const looks = await db.query(
    `select id, look_at > now() as later from storage where scope = 'repo' and look_at is not null and id = any($1)`,
    [[here.repoId, away.repoId]],
  )
  assert.deepEqual(looks.rows, [{ id: away.repoId, later: true }])
  assert.ok((await usedBy(away)).mirrors > MB)
})
