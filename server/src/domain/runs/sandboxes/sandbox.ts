import type { EnforcementReport } from '#base/enforcement.ts'

/** A sandbox in which commands of a run, or of a check, were run. */
export type RecordedSandbox = {
  id: number
  organizationId: number
  runId: number | null
  /** Of a check that workers run. */
  checkId: number | null
  /** Of whoever held the run or the check in it. */
  leaseId: string
  /** The product whose isolation it is: `bubblewrap`, `unsafe`. */
  provider: string
  /** The name of the worker on whose machine it was. */
  worker: string
  enforcement: EnforcementReport
  isRunning: boolean
  startedAt: Date
  /** Null also of one whose worker was lost before it could say so. */
  endedAt: Date | null
  /** `lost` where nobody was left to say why. Null while it runs. */
  endReason: string | null
}

const isRunning = 's.ended_at is null and s.lease_id is not distinct from coalesce(h.lease_id, c.claim_id)'

/** Columns of a `RecordedSandbox`, in its names, from `sandboxTables`. */
export const sandboxColumns = `s.id, s.organization_id, s.run_id, s.check_id, s.lease_id, s.provider, s.worker, s.enforcement,
  ${isRunning} as "isRunning", s.started_at, s.ended_at,
  case when ${isRunning} then null else coalesce(s.end_reason, 'lost') end as "endReason"`

export const sandboxTables = `sandboxes s left join run_heads h on h.organization_id = s.organization_id and h.run_id = s.run_id
  left join checks c on c.organization_id = s.organization_id and c.id = s.check_id`

/** Of what `sandboxTables` join: its run was not deleted. */
export const isShown = '(s.run_id is null or h.run_id is not null)'
