import { rows, type Db } from '#db/pool.ts'

/** An attempt at a check, which names its sandbox. */
export type CheckAttempt = { organizationId: number; checkId: number; attempt: number }

/** Which of these attempts are over. Each is made once, so they never start again. */
export async function listStaleChecks(db: Db, attempts: readonly CheckAttempt[]): Promise<CheckAttempt[]> {
  const alive = await rows<CheckAttempt>(
    db,
    `select c.organization_id, c.id as "checkId", c.attempt
     from checks c join unnest($1::bigint[], $2::bigint[], $3::int[]) as t (organization_id, id, attempt)
       on c.organization_id = t.organization_id and c.id = t.id and c.attempt = t.attempt
     where c.status = 'in_progress' and exists (select from jobs j where j.organization_id = c.organization_id and j.kind = 'check'
       and j.ref = c.id::text and j.claim_id = c.claim_id and j.claimed_until > now())`,
    [
      attempts.map(({ organizationId }) => organizationId),
      attempts.map(({ checkId }) => checkId),
      attempts.map(({ attempt }) => attempt),
    ],
  )
  const known = new Set(alive.map(attemptName))
  return attempts.filter((one) => !known.has(attemptName(one)))
}

const attemptName = ({ organizationId, checkId, attempt }: CheckAttempt) => `${organizationId}-${checkId}-${attempt}`
