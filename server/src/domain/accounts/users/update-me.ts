import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getMe } from './get-me.ts'
import type { Me } from './user.ts'

export type UpdateMe = {
  userId: number
  organizationId: number | null
  /** Undefined: as it is. */
  fullName: string | null | undefined
  customPrompt: string | null | undefined
}

/** Changes the user itself, in all of its organizations. */
export async function updateMe(db: Db, { userId, organizationId, fullName, customPrompt }: UpdateMe): Promise<Me> {
  return inTransaction(db, async (tx) => {
    await tx.query(
      `update users set full_name = case when $2 then $3 else full_name end,
         custom_prompt = case when $4 then $5 else custom_prompt end where id = $1`,
      [userId, fullName !== undefined, fullName, customPrompt !== undefined, customPrompt],
    )
    return getMe(tx, { userId, organizationId })
  })
}
