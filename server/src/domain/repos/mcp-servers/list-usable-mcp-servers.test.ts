import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeHeldRun } from '#test/make-run.ts'
import { one } from '#db/pool.ts'
import { testDb } from '#test/test-db.ts'
import { listUsableMcpServers } from './list-usable-mcp-servers.ts'

test('a repository’s server takes the place of the organization’s, and who is no member uses the repository’s alone', async () => {
  const db = await testDb()
  const { organizationId } = (await makeHeldRun(db)).holder
  const { repoId } = await one<{ repoId: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'a', 'a', 'main') returning id as "repoId"`,
    [organizationId],
  )
  const add = (name: string, of: number | null, url: string) =>
    db.query('insert into mcp_servers (organization_id, repo_id, name, url) values ($1, $2, $3, $4)', [
      organizationId,
      of,
      name,
      url,
    ])
  await add('crm', null, 'https://all.example.com')
  await add('wiki', null, 'https://wiki.example.com')
  await add('crm', repoId, 'https://one.example.com')
  const urls = async (isFromOutside: boolean) =>
    (await listUsableMcpServers(db, { organizationId, repoId, isFromOutside })).map(({ url }) => url)
  assert.deepEqual(await urls(false), ['https://one.example.com', 'https://wiki.example.com'])
  assert.deepEqual(await urls(true), ['https://one.example.com'])
})
