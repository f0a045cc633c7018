import type { Json } from '#base/json.ts'
import { rows, type Db } from '#db/pool.ts'
import type { Holder } from './step.ts'

/** What the notes of this turn answered whose keys begin so, oldest first; those that are done. */
export async function listNotes(db: Db, { holder, prefix }: { holder: Holder; prefix: string }): Promise<Json[]> {
  const { organizationId, runId, turn } = holder
  const notes = await rows<{ response: Json }>(
    db,
    `select response from steps
     where organization_id = $1 and run_id = $2 and turn = $3 and kind = 'note' and state = 'done' and starts_with(key, $4)
     order by step`,
    [organizationId, runId, turn, prefix],
  )
  return notes.map(({ response }) => response)
}
