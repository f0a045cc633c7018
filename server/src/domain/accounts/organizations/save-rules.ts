import type { Db } from '#db/pool.ts'

export type SaveRules = { organizationId: number; rules: string | null }

/** Writes what the organization tells its agents besides their prompts; null: nothing. */
export async function saveRules(db: Db, { organizationId, rules }: SaveRules): Promise<void> {
  await db.query('update organizations set rules = $2 where id = $1', [organizationId, rules])
}
