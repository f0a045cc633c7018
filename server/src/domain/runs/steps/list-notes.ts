import type { Json } from '#base/json.ts'
import { rows, type Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'

/** A note of a turn; one that was begun and not stored has no response. */
export type Note = { isDone: boolean; response: Json | undefined }

/** The notes of this turn whose keys begin so, oldest first. */
export async function listNotes(db: Db, { holder, prefix }: { holder: Holder; prefix: string }): Promise<Note[]> {
  const { organizationId, runId, turn } = holder
  return rows<Note>(
    db,
    `select state = 'done' as "isDone", response from steps
     where organization_id = $1 and run_id = $2 and turn = $3 and kind = 'note' and starts_with(key, $4)
     order by step`,
    [organizationId, runId, turn, prefix],
  )
}
