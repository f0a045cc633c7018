import type pg from 'pg'
import type { Charge, Decision, Window } from './window.ts'

type Row = { admitted: boolean; used: number[]; resets: number[] }
type SharedRow = { refusing: number | null; used: number[]; resets: (number | null)[] }

/**
 * The same as `admitInMemory`, over all processes and by the database's clock, for many at once and in their order; none
 * is charged and all are undefined while another process counts in memory.
 */
export async function admitInDatabase(pool: pg.Pool, charges: Charge[]): Promise<(Decision | undefined)[]> {
  try {
    // Where nothing is shared, tokens need not wait for each other.
    return charges.some(({ shared }) => shared.length)
      ? await admitShared(pool, charges)
      : await admitEach(pool, charges)
  } catch (error) {
    if ((error as { code?: string }).code === 'RW002') return charges.map(() => undefined)
    throw error
  }
}

async function admitEach(pool: pg.Pool, charges: Charge[]): Promise<Decision[]> {
  const asked = charges.map(({ credentialId, windows, isGuarded }, n) => ({
    n,
    credential: credentialId,
    policies: windows.map(({ policy }) => policy),
    limits: windows.map(({ limit }) => limit),
    seconds: windows.map(({ windowMs }) => windowMs / 1_000),
    guards: isGuarded,
  }))
  // The one statement that every request needs: named, so that PostgreSQL reads and plans it once a connection.
  const text = 'select admitted, used, resets from admit_requests($1) order by n'
  const { rows } = await pool.query<Row>({ name: 'admit_requests', text, values: [JSON.stringify(asked)] })
  return rows.map((row, n) => decisionOf(charges[n]!, row))
}

async function admitShared(pool: pg.Pool, charges: Charge[]): Promise<Decision[]> {
  const asked = charges.map(({ credentialId, windows, isGuarded, shared }, n) => {
    const all: Window[] = [...windows, ...shared]
    return {
      n,
      owners: [...windows.map(() => credentialId), ...shared.map(({ owner }) => owner)],
      policies: all.map(({ policy }) => policy),
      limits: all.map(({ limit }) => limit),
      seconds: all.map(({ windowMs }) => windowMs / 1_000),
      guards: all.map((_, at) => at >= windows.length || (at === 0 && isGuarded)),
    }
  })
  const text = 'select refusing, used, resets from admit_shared_requests($1) order by n'
  const { rows } = await pool.query<SharedRow>({ name: 'admit_shared', text, values: [JSON.stringify(asked)] })
  return rows.map(({ refusing, used, resets }, n) => {
    const { windows, shared } = charges[n]!
    const all: Window[] = [...windows, ...shared]
    const shown = refusing === null ? all : [all[refusing - 1]!]
    const states = shown.map((window, at) => ({ ...window, used: used[at]!, resetsInMs: (resets[at] ?? 0) * 1_000 }))
    return { isAdmitted: refusing === null, states }
  })
}

function decisionOf({ windows }: Charge, { admitted, used, resets }: Row): Decision {
  const states = used.map((count, n) => ({ ...windows[n]!, used: count, resetsInMs: (resets[n] ?? 0) * 1_000 }))
  return { isAdmitted: admitted, states }
}
