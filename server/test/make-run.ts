import { randomUUID } from 'node:crypto'
import { one, type Db } from '#db/pool.ts'
import { createRun, type CreateRun } from '#domain/runs/runs/create-run.ts'
import type { Run } from '#domain/runs/run.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { makeOrganization } from './make.ts'

/** A queued run of an organization of its own. A test names only what matters to it. */
export async function makeRun(db: Db, options: Partial<CreateRun> = {}): Promise<Run> {
  const { id, adminId } = options.organizationId
    ? { id: options.organizationId, adminId: options.userId }
    : await makeOrganization(db)
  return createRun(db, {
    organizationId: id,
    userId: adminId ?? 1,
    sourceType: 'API',
    agentType: 'scripted',
    prompt: 'Fix it',
    ...options,
  })
}

/** A run at work, and the lease that a worker holds it by. */
export async function makeHeldRun(
  db: Db,
  options: Partial<CreateRun> = {},
): Promise<{ run: Run; holder: Holder; workerId: number }> {
  const run = await makeRun(db, options)
  const worker = await one<{ id: number }>(
    db,
    `insert into workers (name, slots, version, alive_until) values ('test', 1, '0', now() + interval '1 hour') returning id`,
  )
  const leaseId = randomUUID()
  await db.query(
    `update run_heads set status = 'in_progress', worker_id = $3, lease_id = $4, claims = claims + 1, turn_started_at = now()
     where organization_id = $1 and run_id = $2`,
    [run.organizationId, run.id, worker.id, leaseId],
  )
  await db.query('update run_slots set running = running + 1 where organization_id = $1', [run.organizationId])
  return {
    run,
    holder: { organizationId: run.organizationId, runId: run.id, turn: run.turn, leaseId },
    workerId: worker.id,
  }
}
