import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Submodule } from '#adapters/codehosts/git-store.ts'
import type { App } from '#app/app.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { findRepoByUrl } from '#domain/repos/repos/find-repo-by-url.ts'
import { isInCone, type WorkPaths } from '#domain/repos/work-paths.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { Asker } from '#domain/runs/messages/message.ts'

/** A submodule that a work tree is to have: whose objects are here, to be shown to its sandbox. */
export type FoundSubmodule = {
  /** In the work tree; `parent` is empty, or the path of the submodule that it lies in. */
  path: string
  parent: string
  repository: string
  /** The mount that shows its objects, and the folder that it shows. */
  mount: string
  objectsPath: string
}
/** One that stays an empty folder, and why, in a sentence for people. */
export type LeftSubmodule = { path: string; why: string }
export type Submodules = { found: FoundSubmodule[]; left: LeftSubmodule[] }

export const mountsOf = ({ found }: Submodules) =>
  Object.fromEntries(found.map(({ mount, objectsPath }) => [mount, objectsPath]))

export type FindSubmodules = {
  repo: Repo
  ref: RepoRef
  /** Of the branch that people answer for: its `.gitmodules` alone says what is fetched. Null: there is none. */
  trusted: string | null
  /** What the work tree is made of: by it goes which commit each is at. */
  commit: string | null
  /** To which folders the work tree is limited. */
  paths: WorkPaths
  /** Who has asked for the work on a code host elsewhere, and is no member. */
  askers: readonly Asker[]
  signal: AbortSignal
}

type Level = Pick<FindSubmodules, 'repo' | 'ref' | 'trusted' | 'commit'> & { parent: string; depth: number }
type Search = Submodules & { app: Pick<App, 'hosts' | 'pool' | 'publicUrl'>; options: FindSubmodules }

/**
 * Finds the submodules of a work tree among the organization's own repositories and brings their objects here, with the
 * credentials by which each is connected; nothing of these reaches a sandbox. What cannot be had is left, with the reason.
 * Rejects with a `HostError` where a host cannot be asked now.
 */
export async function findSubmodules(app: Search['app'], options: FindSubmodules): Promise<Submodules> {
  const search: Search = { app, options, found: [], left: [] }
  await lookInto(search, { ...options, parent: '', depth: 1 })
  return { found: search.found, left: search.left }
}

async function lookInto(search: Search, level: Level): Promise<void> {
  const { app } = search
  const { ref, trusted, commit, parent, depth } = level
  const git = app.hosts.git(ref)
  const listAt = async (at: string | null): Promise<Submodule[]> => {
    if (at === null) return []
    try {
      return await git.listSubmodules(ref, { commit: at })
    } catch (error) {
      search.left.push({ path: `${parent}.gitmodules`, why: whyOf(error) })
      return []
    }
  }
  const named = await listAt(trusted)
  const now = trusted === commit ? named : await listAt(commit)
  const urls = new Map(named.map((submodule) => [submodule.path, submodule]))
  for (const submodule of named) {
    const at = now.find(({ path }) => path === submodule.path)?.commit ?? null
    await find(search, level, { ...submodule, at })
  }
  for (const { path, commit } of now) {
    const isTold = !urls.has(path) && commit !== null && depth === 1
    if (isTold && search.left.length < gitLimits.submodulesCheckedOutMax) search.left.push({ path, why: unnamed })
  }
}

async function find(
  search: Search,
  { repo, parent, depth }: Level,
  { path, url, commit: trusted, at }: Submodule & { at: string | null },
): Promise<void> {
  const { app, options, found, left } = search
  const { organizationId } = options.repo
  const full = parent + path
  if ((at === null && trusted === null) || (depth === 1 && !isInCone(path, options.paths))) return
  const leave = (why: string) => void left.push({ path: full, why })
  if (depth > gitLimits.submoduleDepthMax) return leave(tooDeep)
  if (found.length + left.length >= gitLimits.submodulesCheckedOutMax) {
    if (left.at(-1)?.why !== tooMany) leave(tooMany)
    return
  }
  const publicUrl = app.publicUrl
  const other = url === null ? null : await findRepoByUrl(app.pool, { organizationId, url, from: repo, publicUrl })
  if (!other) return leave(unknown)
  if (!other.isConnected) return leave(`${other.name} is not connected any more: connect its code host again.`)
  try {
    if (!(await mayRead(search, other))) return leave(notTheirs)
    const commits = [...new Set([at, trusted].filter((commit) => commit !== null))]
    const ref = { organizationId, path: other.path }
    const { objectsPath } = await mirror(app, ref, { commits, signal: options.signal })
    found.push({
      path: full,
      parent: parent.slice(0, -1),
      repository: other.name,
      mount: `module-${other.id}`,
      objectsPath,
    })
    await lookInto(search, { repo: other, ref, trusted, commit: at, parent: `${full}/`, depth: depth + 1 })
  } catch (error) {
    leave(whyOf(error))
  }
}

/** A commit that its host does not give out is told of where the work tree is made, and keeps nobody from the others. */
async function mirror(
  { hosts }: Pick<App, 'hosts'>,
  ref: RepoRef,
  { commits, signal }: { commits: string[]; signal: AbortSignal },
): Promise<{ objectsPath: string }> {
  const git = hosts.git(ref)
  try {
    return await git.mirror(ref, { commits, signal })
  } catch (error) {
    if (!(error instanceof HostError) || error.isPassing) throw error
    return git.mirror(ref, { signal })
  }
}

/** Members see all repositories of their organization. Others are asked about at the host that knows them. */
async function mayRead({ app, options }: Search, other: Repo): Promise<boolean> {
  const { askers, repo } = options
  if (askers.length === 0) return true
  const isSameHost = other.integrationId !== null && other.integrationId === repo.integrationId
  if (!isSameHost) return false
  for (const { id, login } of askers) {
    const actor = { hostUserId: id, login, isBot: false }
    if ((await app.hosts.forge(other).permissionOf(other, actor)) === 'none') return false
  }
  return true
}

/** What a host says of a repository for good leaves a folder empty; all else is for those who wait for hosts. */
function whyOf(error: unknown): string {
  if (error instanceof HostError && !error.isPassing) return error.message
  throw error
}

const unknown =
  'No repository of this organization has its address. Connect that repository or import it, or correct the address in .gitmodules.'
const unnamed =
  'The .gitmodules of the base branch does not name it, and only that counts. It is checked out once its entry is merged.'
const notTheirs =
  'Who has asked for this work may not read it on its code host. A member of the organization can ask instead.'
const tooDeep = `It lies more than ${gitLimits.submoduleDepthMax} submodules deep.`
const tooMany = `A work tree has at most ${gitLimits.submodulesCheckedOutMax} submodules.`
