import type pg from 'pg'
import type { Charge, Decision } from './window.ts'

type Row = { admitted: boolean; used: number[]; resets: number[] }

/**
 * The same as `admitInMemory`, over all processes and by the database's clock, for many at once and in their order; none
 * is charged and all are undefined while another process counts in memory.
 */
export async function admitInDatabase(pool: pg.Pool, charges: Charge[]): Promise<(Decision | undefined)[]> {
  const asked = charges.map(({ credentialId, windows, isGuarded }, n) => ({
    n,
    credential: credentialId,
    policies: windows.map(({ policy }) => policy),
    limits: windows.map(({ limit }) => limit),
    seconds: windows.map(({ windowMs }) => windowMs / 1_000),
    guards: isGuarded,
  }))
  try {
    // The one statement that every request needs: named, so that PostgreSQL reads and plans it once a connection.
    const text = 'select admitted, used, resets from admit_requests($1) order by n'
    const { rows } = await pool.query<Row>({ name: 'admit_requests', text, values: [JSON.stringify(asked)] })
    return rows.map((row, n) => decisionOf(charges[n]!, row))
  } catch (error) {
    if ((error as { code?: string }).code === 'RW002') return charges.map(() => undefined)
    throw error
  }
}

function decisionOf({ windows }: Charge, { admitted, used, resets }: Row): Decision {
  const states = used.map((count, n) => ({ ...windows[n]!, used: count, resetsInMs: (resets[n] ?? 0) * 1_000 }))
  return { isAdmitted: admitted, states }
}
