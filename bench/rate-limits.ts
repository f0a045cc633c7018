// What the decision on one request costs, where one process serves and where several do.
import type pg from 'pg'
import { quotasDefault } from '../server/src/base/rate-limits.ts'
import { admitInDatabase } from '../server/src/domain/accounts/rate-limits/admit-in-database.ts'
import { admitInMemory, type Memory } from '../server/src/domain/accounts/rate-limits/memory.ts'
import { chargeOf } from '../server/src/domain/accounts/rate-limits/window.ts'
import { middle } from './percentile.ts'

const tokens = 50
const memoryRounds = 1_000_000
const databaseRounds = 3_000
const blocks = 6

/** A table: requests of 50 tokens, each looked up in one policy and charged to two. */
export async function benchRateLimits(pool: pg.Pool): Promise<string[]> {
  const memory = benchMemory()
  const control: number[] = []
  const ours: number[] = []
  for (let block = 0; block < blocks; block++) {
    control.push(await cost(() => pool.query('select $1::int as n', [1])))
    ours.push(await cost((n) => admitInDatabase(pool, [chargeOf(quotasDefault, requestOf(n))])))
  }
  const [bare, shared] = [middle(control), middle(ours)]
  return [
    '| What | each | control: a bare SELECT | against control |',
    '|---|---|---|---|',
    `| rate limit of a request, one process (in memory) | ${(memory * 1_000).toFixed(2)} µs | | |`,
    `| rate limit of a request, several processes (in PostgreSQL), one after the other | ${(shared * 1_000).toFixed(0)} µs | ${(bare * 1_000).toFixed(0)} µs | ${(shared / bare).toFixed(2)}x |`,
    '',
  ]
}

const requestOf = (n: number) => ({ credentialId: 1 + (n % tokens), policy: 'standard' as const })

function benchMemory(): number {
  const memory: Memory = new Map()
  const began = performance.now()
  // Each token asks four times a second, twice as often as it may.
  for (let n = 0; n < memoryRounds; n++)
    admitInMemory(memory, chargeOf(quotasDefault, requestOf(n)), (n * 250) / tokens)
  return (performance.now() - began) / memoryRounds
}

async function cost(work: (n: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < databaseRounds / blocks; n++) await work(n)
  return (performance.now() - began) / (databaseRounds / blocks)
}
