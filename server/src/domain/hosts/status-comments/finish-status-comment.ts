import type { Db } from '#db/pool.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { subjectText } from '#domain/hosts/mentions/mention.ts'
import type { StatusComment } from './status-comment.ts'

/** It was told, or is given up. Who has asked again meanwhile still waits, and so does who asked a run that asks back. */
export async function finishStatusComment(db: Db, reply: StatusComment): Promise<void> {
  const { organizationId, runId, repoId, on, tries } = reply
  await db.query(
    `update run_replies set due_at = null, claimed_until = null, is_awaited = not $6
     where organization_id = $1 and run_id = $2 and repo_id = $3 and subject = $4 and tries = $5 and due_at is not null`,
    [organizationId, runId, repoId, subjectText(on), tries, hasEnded(reply)],
  )
}
