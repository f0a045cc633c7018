import { rows, type Db } from '#db/pool.ts'
import { gitUrl, repoColumns, type Repo } from '#domain/repos/repo.ts'
import { readGitUrl } from '#domain/repos/read-git-url.ts'

export type FindRepoByUrl = {
  organizationId: number
  /** As a repository names another one; relative to the address of that one, where it begins with a dot. */
  url: string
  from: Repo
  publicUrl: string
}

/** The organization's repository at an address; null where it has none there, whoever else may have one. */
export async function findRepoByUrl(
  db: Db,
  { organizationId, url, from, publicUrl }: FindRepoByUrl,
): Promise<Repo | null> {
  const addressOf = (repo: Repo) => (repo.host === 'local' ? gitUrl(publicUrl, repo) : (repo.url ?? ''))
  const place = readGitUrl(url, addressOf(from))
  if (!place) return null
  const names = [place.path, place.path.slice(place.path.lastIndexOf('/') + 1)]
  const found = await rows<Repo>(
    db,
    `select ${repoColumns} from repos where organization_id = $1 and lower(name) = any($2) and removed_at is null order by id`,
    [organizationId, names.map((name) => name.toLowerCase())],
  )
  const isThere = (repo: Repo) => {
    const own = readGitUrl(addressOf(repo), '')
    // Over SSH the same host has another port.
    const isHost = own && (place.port === null || place.port === own.port) && place.host === own.host
    return isHost && place.path.toLowerCase() === own.path.toLowerCase()
  }
  return found.find(isThere) ?? null
}
