import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import { openPool } from '#db/pool.ts'
import { testFolder } from './test-git.ts'

/** Where a service could be started for the first time: a database without tables, and the settings that name it. */
export type EmptyPlace = { pool: pg.Pool; dataDir: string; env: Record<string, string>; names: () => Promise<string[]> }

/** `db`: of a file of its own. */
export async function emptyPlace(db: pg.Pool & { url: string }): Promise<EmptyPlace> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await db.query(`create database ${name}`)
  const url = new URL(`/${name}`, db.url).href
  const pool = openPool(url)
  after(async () => {
    await pool.end()
    await db.query(`drop database if exists ${name} with (force)`).catch(() => {})
  })
  const folder = await testFolder()
  // Sandboxes are another user's.
  chmodSync(folder, 0o711)
  const dataDir = path.join(folder, 'data')
  return {
    pool,
    dataDir,
    env: { DATABASE_URL: url, RUNWRIGHT_DATA_DIR: dataDir },
    names: async () => {
      try {
        return readdirSync(path.join(dataDir, 'git'))
      } catch {
        return []
      }
    },
  }
}
