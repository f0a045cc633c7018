import { repoPath } from '#base/repo-path.ts'
import { maybeOne, one, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'

/** A repository as another host tells of it. */
export type HostRepo = {
  hostRepoId: string
  /** With its owner: `acme/web`. */
  fullName: string
  url: string
  description: string | null
  defaultBranch: string
  visibility: string
  archived: boolean
  language: string | null
}

export type SaveHostRepos = {
  organizationId: number
  integrationId: number
  host: string
  repos: HostRepo[]
  /** These are all that the connection has: what is not among them is not connected any more. */
  areAll: boolean
}

/** Brings the rows of a connection's repositories up to date, and makes those that are new. Answers them and what had no room. */
export async function saveHostRepos(db: Db, request: SaveHostRepos): Promise<{ saved: Repo[]; taken: string[] }> {
  const { organizationId, integrationId, repos, areAll } = request
  return inTransaction(db, async (tx) => {
    await tx.query('select from integrations where organization_id = $1 and id = $2 for no key update', [
      organizationId,
      integrationId,
    ])
    const known = await rows<Repo>(
      tx,
      `select ${repoColumns} from repos where organization_id = $1 and host = $2 and removed_at is null
         and (integration_id = $3 or integration_id is null)`,
      [organizationId, request.host, integrationId],
    )
    const [saved, taken]: [Repo[], string[]] = [[], []]
    for (const repo of repos) {
      const row = await save(tx, { ...request, known, repo })
      if (row) saved.push(row)
      else taken.push(repo.fullName)
    }
    if (areAll) await disconnectOthers(tx, { ...request, saved })
    return { saved, taken }
  })
}

type Save = SaveHostRepos & { known: Repo[]; repo: HostRepo }

/** Undefined where another repository of the organization has the name. */
async function save(tx: Db, { organizationId, integrationId, host, known, repo }: Save): Promise<Repo | undefined> {
  const { hostRepoId, fullName, url, description, defaultBranch, visibility, archived, language } = repo
  const isNamed = ({ name }: Repo) => name.toLowerCase() === fullName.toLowerCase()
  // One that was connected before is known by both: numbers of two hosts of a kind may be the same.
  const row =
    known.find((row) => row.integrationId === integrationId && row.hostRepoId === hostRepoId) ??
    known.find((row) => row.integrationId === null && row.hostRepoId === hostRepoId && isNamed(row))
  const same = { integrationId, hostRepoId, name: fullName, url, description, defaultBranch, visibility, language }
  if (
    row &&
    Object.entries(same).every(([key, value]) => row[key as keyof Repo] === value) &&
    (row.archived || !archived)
  )
    return row
  const other = await maybeOne(
    tx,
    'select from repos where organization_id = $1 and lower(name) = lower($2) and id is distinct from $3',
    [organizationId, fullName, row?.id],
  )
  if (other) return undefined
  const id =
    row?.id ?? (await one<{ id: number }>(tx, `select nextval(pg_get_serial_sequence('repos', 'id')) as id`)).id
  const path = repoPath({ organizationId, host, repoId: id })
  return one<Repo>(
    tx,
    `insert into repos (organization_id, id, host, integration_id, host_repo_id, name, description, path, default_branch,
       visibility, archived, language, url)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (organization_id, id) do update set integration_id = excluded.integration_id, name = excluded.name,
       description = excluded.description, default_branch = excluded.default_branch, visibility = excluded.visibility,
       archived = repos.archived or excluded.archived, language = excluded.language, url = excluded.url
     returning ${repoColumns}`,
    [
      organizationId,
      id,
      host,
      integrationId,
      hostRepoId,
      fullName,
      description,
      path,
      defaultBranch,
      visibility,
      archived,
      language,
      url,
    ],
  )
}

async function disconnectOthers(
  tx: Db,
  { organizationId, integrationId, saved }: SaveHostRepos & { saved: Repo[] },
): Promise<void> {
  await tx.query(
    'update repos set integration_id = null where organization_id = $1 and integration_id = $2 and not id = any($3)',
    [organizationId, integrationId, saved.map(({ id }) => id)],
  )
}
