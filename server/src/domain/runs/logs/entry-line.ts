/** An entry as it is sent: what only the database knows of it, put in front of the text that was stored. */
export function entryLine(runId: number, row: { seq: number; createdAt: Date; body: string }): string {
  return `{"agent_run_id":${runId},"seq":${row.seq},"created_at":"${row.createdAt.toISOString()}",${row.body.slice(1)}`
}
