import { deletionLimits } from '#base/deletion-limits.ts'
import type { Db } from '#db/pool.ts'

/** Deletes rows and selects how many as `deleted`; `text` bounds them. */
export type Deletion = { text: string; values: unknown[] }

/** Deletes by one statement after the other until a bounded number of rows is gone. Answers how many; 0 once none is left. */
export async function deleteInTurn(tx: Db, deletions: readonly Deletion[]): Promise<number> {
  let total = 0
  for (const { text, values } of deletions) {
    const [counted] = (await tx.query<{ deleted: number }>(text, values)).rows
    total += counted?.deleted ?? 0
    if (total >= deletionLimits.rowsMax) break
  }
  return total
}
