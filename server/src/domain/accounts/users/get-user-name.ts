import { maybeOne, type Db } from '#db/pool.ts'

/** Of whom commits tell; empty where nobody is known. */
export async function getUserName(
  db: Db,
  { userId }: { userId: number | null },
): Promise<{ name: string; email: string }> {
  const known = await maybeOne<{ name: string; email: string }>(
    db,
    `select coalesce(full_name, '') as name, coalesce(email, '') as email from users where id = $1`,
    [userId],
  )
  return known ?? { name: '', email: '' }
}
