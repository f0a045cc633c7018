import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { AppError } from '#base/errors.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, testFolder } from '#test/test-git.ts'
import { createRepo } from './create-repo.ts'
import { findRepoByName } from './find-repo-by-name.ts'
import { getRepo } from './get-repo.ts'
import { listRepos } from './list-repos.ts'
import { gitUrl } from '#domain/repos/repo.ts'

const db = await testDb()
const source = await makeWorkTree()
await source.git('checkout', '--quiet', '-b', 'trunk')
await source.commit({ 'index.ts': 'export {}\n' })
const folder = path.join(await testFolder(), 'repos')
const local = openLocalHost({ folder, importPaths: [source.folder] })

const refusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
const storedIn = (organizationId: number) => {
  try {
    return readdirSync(path.join(folder, String(organizationId)))
  } catch {
    return []
  }
}

test('makes an empty repository, found by id and by name', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const repo = await createRepo(db, { organizationId, admin: local, name: 'Web.app', description: 'the shop' })
  const { name, host, path: stored, defaultBranch, visibility, archived, language, importedFrom, description } = repo
  assert.deepEqual(
    { name, host, stored, defaultBranch, visibility, archived, language, importedFrom, description },
    {
      name: 'Web.app',
      host: 'local',
      stored: `${organizationId}/${repo.id}.git`,
      defaultBranch: 'main',
      visibility: 'private',
      archived: false,
      language: null,
      importedFrom: null,
      description: 'the shop',
    },
  )
  assert.deepEqual(await getRepo(db, { organizationId, repoId: repo.id }), repo)
  assert.deepEqual(await findRepoByName(db, { organizationId, name: 'web.APP' }), repo)
  assert.deepEqual([...(await local.mirror(repo)).branches], [])
  assert.equal(gitUrl('https://run.test/', repo), `https://run.test/git/${organizationId}/Web.app.git`)
})

test('makes a copy that keeps its default branch, under the name of its source', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const repo = await createRepo(db, { organizationId, admin: local, importFrom: `${source.folder}/` })
  const { name, defaultBranch, language, importedFrom } = repo
  assert.deepEqual(
    { name, defaultBranch, language, importedFrom },
    { name: path.basename(source.folder), defaultBranch: 'trunk', language: 'TypeScript', importedFrom: source.folder },
  )
  assert.deepEqual([...(await local.mirror(repo)).branches.keys()], ['trunk'])
})

test('leaves nothing when an import fails', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const failing = createRepo(db, { organizationId, admin: local, name: 'copy', importFrom: '/etc' })
  await assert.rejects(failing, refusal('import_not_allowed'))
  assert.equal(await findRepoByName(db, { organizationId, name: 'copy' }), null)
  assert.deepEqual(storedIn(organizationId), [])
})

test('keeps names unique in an organization, whatever their capitals, and free in others', async () => {
  const [one, other] = [await makeOrganization(db), await makeOrganization(db)]
  await createRepo(db, { organizationId: one.id, admin: local, name: 'shop' })
  await assert.rejects(
    createRepo(db, { organizationId: one.id, admin: local, name: 'SHOP' }),
    refusal('repo_name_taken'),
  )
  await createRepo(db, { organizationId: other.id, admin: local, name: 'shop' })
})

test('lets one of two at once have the name, and leaves nothing of the other', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const both = await Promise.allSettled(
    [1, 2, 3].map(() => createRepo(db, { organizationId, admin: local, name: 'shop' })),
  )
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of both) if (result.status === 'rejected') assert.ok(refusal('repo_name_taken')(result.reason))
  assert.equal(storedIn(organizationId).length, 1)
})

test('refuses names that are no part of an address', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const names = [
    '',
    '.hidden',
    '-x',
    'a b',
    'a/b',
    'a..b',
    'x.git',
    'x.GIT',
    'x.lock',
    'ä',
    'x'.repeat(101),
    'a\n',
    '..',
  ]
  for (const name of names) {
    await assert.rejects(
      createRepo(db, { organizationId, admin: local, name }),
      refusal('invalid_request'),
      JSON.stringify(name),
    )
  }
  await createRepo(db, { organizationId, admin: local, name: 'x'.repeat(100) })
})

test('lists repositories by name, page by page', async () => {
  const [{ id: organizationId }, other] = [await makeOrganization(db), await makeOrganization(db)]
  for (const name of ['beta', 'Alpha', 'gamma']) await createRepo(db, { organizationId, admin: local, name })
  const page = await listRepos(db, { organizationId, skip: 1, limit: 1 })
  assert.deepEqual([page.items.map(({ name }) => name), page.total], [['beta'], 3])
  assert.deepEqual(await listRepos(db, { organizationId, skip: 9, limit: 5 }), { items: [], total: 3 })
  assert.deepEqual(await listRepos(db, { organizationId: other.id, skip: 0, limit: 5 }), { items: [], total: 0 })
})

test("answers not found for another organization's repository", async () => {
  const [{ id: organizationId }, other] = [await makeOrganization(db), await makeOrganization(db)]
  const { id: repoId } = await createRepo(db, { organizationId, admin: local, name: 'shop' })
  await assert.rejects(getRepo(db, { organizationId: other.id, repoId }), refusal('repo_not_found'))
  assert.equal(await findRepoByName(db, { organizationId: other.id, name: 'shop' }), null)
})
