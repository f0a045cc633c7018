import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeGitBytes } from '#domain/accounts/storage/take-git-bytes.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { findDueUpkeep } from './find-due-upkeep.ts'

const testing = await testApp()
const { pool } = testing.app
const nothing = { blobs: false, deadObjects: false, deletions: false, merges: false }

test('each kind of upkeep is found when something of it is due, and no other', async () => {
  const { organizationId, ids } = await makeWorld(testing)
  await takeGitBytes(pool, { organizationId, repoId: ids.repo_id!, runId: null, bytes: 1 })
  await pool.query(`update storage set look_at = null`)
  await pool.query(`update blobs set look_at = now() + interval '1 hour'`)
  assert.deepEqual(await findDueUpkeep(pool), nothing)
  const make = {
    blobs: [`update blobs set look_at = now() - interval '1 second' where organization_id = $1`],
    deadObjects: [`update storage set look_at = now() where organization_id = $1 and scope = 'repo'`],
    merges: [
      `update pulls set merge_intended_at = now() - interval '5 minutes', merge_base = 'a', merge_commit = 'b', merged = false where organization_id = $1`,
    ],
    deletions: [
      `update repos set empty_at = now() where organization_id = $1`,
      `update organizations set empty_at = now() where id = $1`,
      `insert into deletions (organization_id, part, run_id) select organization_id, 'logs', id from runs where organization_id = $1`,
    ],
  }
  for (const [kind, statements] of Object.entries(make))
    for (const statement of statements) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const { rowCount } = await client.query(statement, [organizationId])
        assert.ok(rowCount, statement)
        assert.deepEqual(await findDueUpkeep(client), { ...nothing, [kind]: true }, statement)
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
})
