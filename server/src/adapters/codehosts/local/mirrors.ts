import path from 'node:path'
import {
  HostError,
  type Mirror,
  type MirrorOptions,
  type PushRequest,
  type PushResult,
  type RepoRef,
} from '#adapters/codehosts/code-host.ts'
import { limits } from '#base/limits.ts'
import { turns } from '#base/turns.ts'
import { importChecks } from './import-checks.ts'
import type { LocalHost } from './local.ts'
import { readBranch } from './read-branches.ts'
import { exists, folderOf } from './repository-folder.ts'
import { runGit, type GitResult } from './run-git.ts'

/** How git reaches a repository; what it shows goes into a header, and so into no address, argument or log. */
export type GitAccess = {
  address: string
  /** The header's value. */
  authorization: string
  config?: [string, string][]
  /** What the mirror's HEAD names, and so protects; as it is when left out. */
  defaultBranch?: string
}

export type MirrorsOptions = {
  /** Where the mirrors lie; the same as the host's. */
  folder: string
  /** `isRenamed`: the address before was one that leads elsewhere. */
  openAccess(repo: RepoRef, options: { need: 'read' | 'write'; isRenamed: boolean }): Promise<GitAccess>
  /** Why the repository could not be reached, of what git said. */
  explain(stderr: string): HostError
  /** Whether the host itself keeps a run from moving the default branch; else it is done here. */
  protectsDefault: boolean
}

export type Mirrors = {
  mirror(repo: RepoRef, options?: MirrorOptions): Promise<Mirror>
  push(repo: RepoRef, request: PushRequest): Promise<PushResult>
  /** Brings the mirror up to date, unless it is asked for commits that it holds. */
  ensure(repo: RepoRef, names: readonly (string | null)[]): Promise<void>
}

type Renew = { signal?: AbortSignal | undefined; commits?: readonly string[] }
type Reach = { need: 'read' | 'write'; words: (address: string) => string[]; signal: AbortSignal | undefined }

/** A repository changes on this machine in one process at a time, but two processes may share the folder. */
const triesMax = 3

const fetch = ['fetch', '--quiet', '--prune', '--no-tags', '--no-write-fetch-head', '--end-of-options']

/**
 * Mirrors, in the folder of a built-in host, of repositories that live elsewhere: brought up to date before each use. What an
 * agent made is checked here, and then pushed by compare-and-swap.
 */
export function openMirrors(
  local: LocalHost,
  { folder, openAccess, explain, protectsDefault }: MirrorsOptions,
): Mirrors {
  const root = path.resolve(folder)
  const inTurn = turns()

  async function reach(repo: RepoRef, { need, words, signal }: Reach): Promise<GitResult> {
    const run = async (isRenamed: boolean) => {
      const { address, authorization, config = [], defaultBranch } = await openAccess(repo, { need, isRenamed })
      if (defaultBranch !== undefined) await local.setDefaultBranch(repo, defaultBranch)
      return runGit({
        repository: folderOf(root, repo),
        arguments: words(address),
        protocols: ['http', 'https'],
        config: [
          ['http.extraHeader', `Authorization: ${authorization}`],
          ['http.followRedirects', 'false'],
          ['fetch.unpackLimit', '1'],
          ...importChecks,
          ...config,
        ],
        memoryBytesMax: limits.importMemoryBytesMax,
        timeoutMs: limits.importMsMax,
        ...(signal && { signal }),
      })
    }
    const result = await run(false)
    // Whoever follows a redirect shows what it leads to the credential: the host is asked for the name instead.
    return result.exitCode !== 0 && /returned error: 30[1278]\b/.test(result.stderr) ? run(true) : result
  }

  async function renew(repo: RepoRef, { signal, commits = [] }: Renew): Promise<void> {
    await local.createRepository(repo, { defaultBranch: 'main' })
    const get = async (...refs: string[]) => {
      for (let tries = 1; ; tries++) {
        const words = (address: string) => [...fetch, address, ...refs]
        const { exitCode, stderr } = await reach(repo, { need: 'read', words, signal })
        if (exitCode === 0) return
        if (tries === triesMax || !isWorthATry(stderr)) throw explain(stderr)
      }
    }
    await get('+refs/heads/*:refs/heads/*')
    for (const commit of commits) if (!(await holds(repo, commit))) await get(commit)
  }

  async function holds(repo: RepoRef, commit: string): Promise<boolean> {
    const repository = folderOf(root, repo)
    if (!(await exists(path.join(repository, 'HEAD')))) return false
    const look = ['cat-file', '-e', `${commit}^{commit}`]
    return (await runGit({ repository, arguments: look, timeoutMs: limits.gitCommandMs })).exitCode === 0
  }

  async function push(repo: RepoRef, request: PushRequest): Promise<PushResult> {
    const { branch, commit, expected, signal } = request
    await renew(repo, { signal })
    if ((await readBranch(folderOf(root, repo), branch)) === commit) {
      request.pack.destroy()
      return { pushed: true }
    }
    const checked = await local.push(repo, protectsDefault ? { ...request, protectedBranches: [] } : request)
    if (!checked.pushed) return checked
    const ref = `refs/heads/${branch}`
    const push = ['push', '--porcelain', '--no-verify', `--force-with-lease=${ref}:${expected ?? ''}`]
    const words = (address: string) => [...push, '--end-of-options', address, `${commit}:${ref}`]
    const { exitCode, stdout, stderr } = await reach(repo, { need: 'write', words, signal })
    if (exitCode === 0) return { pushed: true }
    if (!(await request.stillAllowed()))
      return { pushed: false, reason: 'lease_lost', message: 'The run is no longer held by who pushes.' }
    const refused = refusalIn(stdout.toString(), stderr)
    if (refused) return refused
    throw explain(stderr)
  }

  return {
    mirror: (repo, { signal, commits = [] } = {}) =>
      inTurn(repo.path, signal, async () => {
        await renew(repo, { signal, commits })
        return local.mirror(repo)
      }),
    push: (repo, request) => inTurn(repo.path, request.signal, () => push(repo, request)),
    ensure: async (repo, names) => {
      const commits = names.filter((name) => name !== null && /^[0-9a-f]{40}$/.test(name)) as string[]
      const isKnown = names.every((name) => name === null || commits.includes(name))
      const held = isKnown && (await Promise.all(commits.map((commit) => holds(repo, commit)))).every(Boolean)
      if (!held) await inTurn(repo.path, undefined, () => renew(repo, { commits }))
    },
  }
}

/** Two fetches at once may lock the same ref; what the host refuses it refuses again. */
const isWorthATry = (stderr: string) =>
  !/not found|returned error: 4|Authentication failed|could not read/i.test(stderr)

/** What the host says of the branch: `!\t<commit>:<ref>\t[remote rejected] (this run may not push)`, and above it why. */
function refusalIn(porcelain: string, stderr: string): PushResult | undefined {
  const [, kind = '', why = ''] = /^!\t\S+\t\[([a-z ]+)\] \((.*)\)$/m.exec(porcelain) ?? []
  if (!kind) return undefined
  if (kind !== 'remote rejected')
    return { pushed: false, reason: 'stale', message: `The branch has moved meanwhile: ${why}.` }
  const remarks = stderr.matchAll(/^remote: (?:error: )?(.*\S)\s*$/gm)
  const said = [why, ...Array.from(remarks, ([, remark]) => remark)].join('; ').slice(0, 1_000)
  return { pushed: false, reason: 'protected', message: `The host refused it: ${said}.` }
}
