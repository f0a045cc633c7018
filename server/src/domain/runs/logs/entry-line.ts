/** What only the database knows of an entry, and the text that was stored. `createdAt`: in UTC, as PostgreSQL writes it. */
export type StoredEntry = { seq: number; createdAt: string; messageType: string; body: string }

/** An entry as it is sent: what only the database knows of it, put in front of the text that was stored. */
export function entryLine(
  runId: number | string,
  row: { seq: number | string; createdAt: Date | string; body: string },
): string {
  const time = typeof row.createdAt === 'string' ? isoTime(row.createdAt) : row.createdAt.toISOString()
  return `{"agent_run_id":${runId},"seq":${row.seq},"created_at":"${time}",${row.body.slice(1)}`
}

/** PostgreSQL's `2026-11-21 13:05:09.12+00`, which leaves out zeros at the end, as `2026-11-21T13:05:09.120Z`. */
function isoTime(time: string): string {
  if (!time.endsWith('+00')) return new Date(/[+-]\d\d$/.test(time) ? `${time}:00` : time).toISOString()
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${time.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
}
