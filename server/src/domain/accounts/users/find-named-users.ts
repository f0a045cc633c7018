import { rows, type Db } from '#db/pool.ts'

export type FindNamedUsers = { organizationId: number; names: readonly string[] }

/**
 * Which people of the organization these names are of: an email address, or after an `@` the login on GitHub that they have told us, what stands
 * before the `@` of their address, or their full name without spaces. The first of these that fits anybody counts; what fits
 * several people names none. Upper and lower case are the same.
 */
export async function findNamedUsers(db: Db, { organizationId, names }: FindNamedUsers): Promise<Map<string, number>> {
  const found = await rows<{ name: string; userId: number }>(
    db,
    `with people as (
       select u.id, lower(u.email) as email, lower(u.full_name) as name
       from memberships m join users u on u.id = m.user_id where m.organization_id = $1 and u.kind = 'person'
     ), keys as (
       select id, email as key, 1 as way from people
       union all select p.id, '@' || lower(a.login), 2 from people p
         join host_accounts a on a.organization_id = $1 and a.user_id = p.id and a.host ~ '^github(:|$)'
       union all select id, '@' || split_part(email, '@', 1), 3 from people
       union all select id, '@' || replace(name, ' ', ''), 4 from people
     ), fits as (
       select n.name, k.id, k.way, min(k.way) over (partition by n.name) as first
       from unnest($2::text[]) n (name) join keys k on k.key = lower(n.name)
     )
     select name, min(id) as user_id from fits where way = first group by name having count(distinct id) = 1`,
    [organizationId, names],
  )
  return new Map(found.map(({ name, userId }) => [name, userId]))
}
