import { one, type Db } from '#db/pool.ts'

/** Who says something elsewhere through us. */
export type Author = { userId: number; login: string; isBot: boolean }

/** By the name alone: an e-mail address is for members, and another host may show it to everybody. */
export async function getAuthor(db: Db, { userId }: { userId: number }): Promise<Author> {
  return one<Author>(
    db,
    `select id as "userId", coalesce(nullif(trim(full_name), ''), case when deleted_at is null then 'A member' else 'A deleted user' end) as login, kind = 'service' as "isBot"
     from users where id = $1`,
    [userId],
  )
}
