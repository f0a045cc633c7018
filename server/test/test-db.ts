import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { openPool } from '#db/pool.ts'
import type pg from 'pg'

/**
 * A database of its own for a test file: a clone of the migrated template that `bin/test.ts` made. Dropped at the end.
 * Call once at the top of a file; every test in it makes its own organization.
 */
export async function testDb(): Promise<pg.Pool & { url: string }> {
  const { url, drop } = await makeDatabase()
  const pool = openPool(url)
  after(async () => {
    await pool.end()
    await drop()
  })
  return Object.assign(pool, { url })
}

/** A database of its own, a clone of the migrated template or an empty one. Whoever makes it drops it. */
export async function makeDatabase({ isEmpty = false } = {}): Promise<{ url: string; drop: () => Promise<void> }> {
  const migrated = process.env.RUNWRIGHT_TEST_DATABASE_URL
  if (!migrated)
    throw new Error('RUNWRIGHT_TEST_DATABASE_URL is not set: run tests with "npm test", or "npm test -- <file> …".')
  const template = isEmpty ? 'template0' : new URL(migrated).pathname.slice(1)
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = openPool(new URL('/postgres', migrated).href, { connectionsMax: 1, statementMs: 60_000 })
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  // What a commit waits for matters only where PostgreSQL itself is killed; such tests start one of their own.
  await admin.query(`alter database ${name} set synchronous_commit = off`)
  const drop = async () => {
    await dropDatabase(admin, name)
    await admin.end()
  }
  return { url: new URL(`/${name}`, migrated).href, drop }
}

/** `force` fails where autovacuum is at work in it, whose workers no role of ours may end; a drop without it ends those. */
async function dropDatabase(admin: pg.Pool, name: string): Promise<void> {
  const drop = (how: string) => admin.query(`drop database if exists ${name} ${how}`)
  await drop('with (force)')
    .catch(() => drop(''))
    .catch(() => drop('with (force)'))
}
