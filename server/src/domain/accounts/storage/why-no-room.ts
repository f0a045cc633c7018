import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { isStorageFull } from './storage.ts'
import { takeGitBytes, type TakeGitBytes } from './take-git-bytes.ts'

/** What would be against bytes that are announced, so that they are not sent in vain. Counts nothing. */
export async function whyNoRoom(db: Db, request: TakeGitBytes): Promise<string | null> {
  try {
    await inTransaction(db, async (tx) => {
      for (const bytes of [request.bytes, -request.bytes]) await takeGitBytes(tx, { ...request, bytes })
    })
    return null
  } catch (error) {
    if (isStorageFull(error)) return error.message
    throw error
  }
}
