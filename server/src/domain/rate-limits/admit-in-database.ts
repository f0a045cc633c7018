import type pg from 'pg'
import type { Charge, Decision } from './window.ts'

type Row = { admitted: boolean; used: number[]; resets: number[] }

/** The same as `admitInMemory`, over all processes and by the database's clock; undefined while another counts in memory. */
export async function admitInDatabase(
  pool: pg.Pool,
  { credentialId, windows, isGuarded }: Charge,
): Promise<Decision | undefined> {
  const values = [
    credentialId,
    windows.map(({ policy }) => policy),
    windows.map(({ limit }) => limit),
    windows.map(({ windowMs }) => windowMs / 1_000),
    isGuarded,
  ]
  try {
    // The one statement that every request needs: named, so that PostgreSQL reads and plans it once a connection.
    const text = 'select * from admit_request($1, $2, $3, $4, $5)'
    const { rows } = await pool.query<Row>({ name: 'admit_request', text, values })
    const { admitted, used, resets } = rows[0]!
    const states = used.map((count, n) => ({ ...windows[n]!, used: count, resetsInMs: (resets[n] ?? 0) * 1_000 }))
    return { isAdmitted: admitted, states }
  } catch (error) {
    if ((error as { code?: string }).code === 'RW002') return undefined
    throw error
  }
}
