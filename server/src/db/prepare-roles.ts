import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The login of the service in the embedded PostgreSQL: it owns what the migrations make, and may do nothing else. */
export const serviceRole = 'runwright_service'

/** Any number that nothing else locks: processes that start at once prepare one after the other. */
const lockId = 727_002
const lockWaitMs = 500
const triesMax = 60

export type PrepareRoles = {
  /** The superuser's, whose password nothing but the start of PostgreSQL uses. */
  administratorUrl: string
  database: string
  password: string
}

/**
 * Makes the service's own login, without the rights of a superuser, and gives it the database with all that is in it: a
 * cluster of an earlier version, in which the superuser did the service's work, is moved over. Processes of that version
 * go on beside, since a superuser may use what belongs to others.
 */
export async function prepareRoles({ administratorUrl, database, password }: PrepareRoles): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(administratorUrl, database) })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    await makeRoles(client, password)
    await giveDatabase(client, database)
    for (const statement of await listForeign(client)) await runPatiently(client, statement)
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, database: string): string {
  return new URL(`/${database}`, url).href
}

async function makeRoles(client: pg.Client, password: string): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles')
  const known = new Set(rows.map(({ rolname }) => rolname))
  if (!known.has('runwright_tenant')) await client.query('create role runwright_tenant nologin')
  if (!known.has(serviceRole)) await client.query(`create role ${serviceRole}`)
  // Said again at each start, so that neither a lost file with the password nor a right too many outlasts it.
  await client.query(
    `alter role ${serviceRole} login nosuperuser nocreaterole nobypassrls noreplication password ${client.escapeLiteral(password)}`,
  )
  // It becomes the tenant where it says so, and is not bound by the tenant's policies beside its own.
  await client.query(`grant runwright_tenant to ${serviceRole} with inherit false, set true`)
}

async function giveDatabase(client: pg.Client, database: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  )
  if (rows[0]?.owner !== serviceRole)
    await client.query(`alter database ${client.escapeIdentifier(database)} owner to ${serviceRole}`)
}

/**
 * What the superuser still owns, each as the statement that gives it away: `reassign owned` refuses the role that the
 * cluster was made with. Sequences and indexes go with the table that they belong to.
 */
async function listForeign(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter %s %s owner to ${serviceRole}', kind, name) as statement from (
       select 'table' as kind, oid::regclass::text as name, relowner as owner, 1 as place from pg_class c
       where relnamespace = 'public'::regnamespace and (relkind in ('r', 'p', 'v', 'm') or relkind = 'S' and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
       union all
       select 'routine', oid::regprocedure::text, proowner, 2 from pg_proc where pronamespace = 'public'::regnamespace
       union all
       select 'type', oid::regtype::text, typowner, 3 from pg_type
       where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')) as thing
     where owner <> '${serviceRole}'::regrole order by place, name`,
  )
  return rows.map(({ statement }) => statement)
}

/** One lock at a time, and never waited for so long that others pile up behind: processes may be at work with the tables. */
async function runPatiently(client: pg.Client, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`set lock_timeout = ${lockWaitMs}`)
      await client.query(statement)
      return
    } catch (error) {
      const mayPass = ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')
      if (!mayPass || tries === triesMax) throw error
      await sleep(lockWaitMs)
    }
  }
}
