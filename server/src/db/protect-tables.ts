import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const lockWaitMs = 200
const triesMax = 120

/**
 * Gives each table with rows of organizations what it is missing of row security, after every migration and at every
 * start, so that none is left out, whatever made it. One table at a time, since runs may be at work with all of them.
 */
export async function protectTables(client: pg.PoolClient): Promise<void> {
  await inShortTransaction(client, 'select protect_database()')
  const { rows } = await client.query<{ name: string }>('select unprotected_tables() as name')
  for (const { name } of rows) await inShortTransaction(client, 'select protect_table($1::regclass)', [name])
}

/** Whoever waits for a table's lock makes all others wait behind it, so it waits for a moment, and tries again later. */
async function inShortTransaction(client: pg.PoolClient, statement: string, values: unknown[] = []): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query(`begin; set local lock_timeout = ${lockWaitMs}`)
    try {
      await client.query(statement, values)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const mayPass = ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')
      if (!mayPass || tries === triesMax) throw error
      await sleep(lockWaitMs)
    }
  }
}
