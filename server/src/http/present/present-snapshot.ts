import type { Snapshot } from '#domain/runs/snapshots/snapshot.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentSnapshot({
  n,
  state,
  place,
  baseCommit,
  bytes,
  durationMs,
  problem,
  createdAt,
  usedAt,
}: Snapshot): Components['Snapshot'] {
  const { message = '', command = null, exitCode = null, output = null } = problem ?? {}
  return {
    n,
    state,
    machine: place,
    base_commit: baseCommit,
    bytes,
    setup_ms: durationMs,
    problem: problem && { message, command, exit_code: exitCode, output },
    created_at: createdAt.toISOString(),
    used_at: usedAt.toISOString(),
  }
}
