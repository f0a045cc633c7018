import type { Entry } from '#base/entry.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import type { Db } from '#db/pool.ts'
import { finishStep } from './finish-step.ts'
import { startStep } from './start-step.ts'
import type { Holder } from '#domain/runs/holder.ts'

export type NoteOnce = { holder: Holder; key: string; entry: Entry; mask: Mask }

/** A log entry with no step of its own; the key makes a second one do nothing. Throws `LeaseLost`. */
export async function noteOnce(db: Db, { holder, key, entry, mask }: NoteOnce): Promise<void> {
  const started = await startStep(db, { holder, key, kind: 'note', request: {} })
  if (!started.done) await finishStep(db, { holder, step: started.step, response: null, entries: [entry], mask })
}
