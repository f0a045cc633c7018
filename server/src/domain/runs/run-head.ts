import { maybeOne, type Db } from '#db/pool.ts'
import { missingRun } from './missing-run.ts'
import type { HostWait } from './host-wait.ts'
import type { RunIds, RunStatus } from './run.ts'
import type { RunWait } from './run-wait.ts'

/** The hot part of a run: who holds it, and where it stands. */
export type RunHead = {
  organizationId: number
  runId: number
  status: RunStatus
  statusDetail: string | null
  turn: number
  leaseId: string | null
  workerId: number | null
  wanted: 'cancel' | 'pause' | null
  claims: number
  hostWait: HostWait | null
  runWait: RunWait | null
}

const columns = `organization_id, run_id, status, status_detail, turn, lease_id, worker_id, wanted, claims, host_wait, run_wait`

/** Locks the head until the end of the transaction. Throws `run_not_found`. */
export async function lockRunHead(tx: Db, { organizationId, runId }: RunIds): Promise<RunHead> {
  const head = await maybeOne<RunHead>(tx, lockHead, [organizationId, runId])
  if (!head) throw await missingRun(tx, { organizationId, runId })
  return head
}

export function hasEnded(head: { status: RunStatus }): boolean {
  return head.status === 'completed' || head.status === 'failed' || head.status === 'cancelled'
}

const lockHead = {
  name: 'lock-run-head',
  text: `select ${columns} from run_heads where organization_id = $1 and run_id = $2 for update`,
}
