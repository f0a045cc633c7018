import type { Mask } from '#base/redaction/redactor.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { endReportedTurn } from './end-reported-turn.ts'
import { lockOutsideSession, type SessionIds } from './outside-session.ts'

const silentHoursMax = 12
const sweptMax = 20

/** Ends sessions of which nothing was told for long, as where their machine was switched off. Answers how many. */
export async function sweepOutsideSessions(db: Db, { mask }: { mask: Mask }): Promise<number> {
  const silent = await rows<SessionIds>(
    db,
    `select s.organization_id, s.user_id, s.session_id from outside_sessions s
     join run_heads h on h.organization_id = s.organization_id and h.run_id = s.run_id
     where h.status = 'in_progress' and s.reported_at < now() - make_interval(hours => $1) order by s.reported_at limit $2`,
    [silentHoursMax, sweptMax],
  )
  for (const ids of silent)
    await inTransaction(db, async (tx) => {
      const session = await lockOutsideSession(tx, ids)
      const head = await lockRunHead(tx, session)
      if (!hasEnded(head)) await endReportedTurn(tx, { head, session, mask, error })
    })
  return silent.length
}

const error = {
  code: 'stuck',
  message: `Nothing was told of this session for ${silentHoursMax} hours.`,
  retryable: false,
}
