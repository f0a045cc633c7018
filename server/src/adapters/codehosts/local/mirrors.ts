import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type {
  ChangedFile,
  CheckRequest,
  CheckResult,
  CompareFile,
  ComparedFile,
  DeleteBranch,
  GitStore,
  ListedFile,
  ListFiles,
  Mirror,
  MirrorOptions,
  PushRequest,
  PushResult,
  Submodule,
} from '#adapters/codehosts/git-store.ts'
import type { DialOut } from '#adapters/codehosts/dial-out.ts'
import type { LfsStore } from '#adapters/codehosts/lfs-store.ts'
import type { GitRefusal, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import { importChecks, isTooLarge, slowSenders } from './import-checks.ts'
import type { LocalHost } from './local.ts'
import { openMirroredLfs } from './open-mirrored-lfs.ts'
import { layOver, makeQuarantine, packBytes, release } from './quarantine.ts'
import { readBranch } from './read-branches.ts'
import { exists, folderOf } from './repository-folder.ts'
import { runGit, type GitResult } from './run-git.ts'
import { signPush, type Refused, type ToPush } from './sign-push.ts'

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
  /** `after`: what git has met just now with the access before. */
  openAccess: (repo: RepoRef, options: { need: 'read' | 'write'; after: GitRefusal | null }) => Promise<GitAccess>
  /** How its large files are reached, which may lie at yet another host. */
  dial: (request: DialOut) => Promise<IncomingMessage>
  /** Why the repository could not be reached, of what git said. */
  explain: (stderr: string) => HostError
  /** Asked where git itself does not say enough. */
  lookAt?: RemoteHost['lookAtGit']
  /** Whether the host itself keeps a run from moving the default branch; else it is done here. */
  protectsDefault: boolean
  /** A host that signs commits. */
  signer?: Pick<RemoteHost, 'signsCommits' | 'signCommit'>
  /** Counts what is about to come into a mirror, or answers what is against it. Not given where mirrors do not count. */
  take?: (repo: RepoRef, bytes: number) => Promise<string | null>
}

type Get = { verb: string[]; ref: string } & Pick<Reach, 'signal' | 'environment'>
type Renew = { signal: AbortSignal | undefined; commits: readonly string[] }
type Reach = {
  need: 'read' | 'write'
  words: (address: string) => string[]
  signal: AbortSignal | undefined
  environment?: Record<string, string>
}

/** A repository changes on this machine in one process at a time, but two processes may share the folder. */
const triesMax = 3

const tooLarge = `The repository is larger than ${gitLimits.mirrorPackBytesMax / 2 ** 30} GiB, the most that is mirrored.`

const heads = '+refs/heads/*:refs/heads/*'
const pruning = ['--prune', '--no-tags', '--no-write-fetch-head', '--no-progress', '--end-of-options']
const fetch = ['fetch', '--quiet', ...pruning]
/** Fetches objects, moves nothing, and says what it would move. */
const fetchOnly = ['fetch', '--dry-run', ...pruning]

/**
 * Mirrors, in the folder of a built-in host, of repositories that live elsewhere: brought up to date before each use. What an
 * agent made is checked here, and then pushed by compare-and-swap.
 */
export class Mirrors implements GitStore {
  readonly lfs: LfsStore
  readonly #local: LocalHost
  readonly #options: MirrorsOptions
  readonly #inTurn = keyedMutex()
  /** When a mirror was last brought up to date, by path; the oldest first. */
  readonly #renewedAtMs = new Map<string, number>()

  constructor(local: LocalHost, options: MirrorsOptions) {
    this.#local = local
    this.#options = options
    const { openAccess, dial, take = null } = options
    this.lfs = openMirroredLfs({
      local: local.lfs,
      prepare: (repo) => local.createRepository(repo, { defaultBranch: 'main' }),
      dial: (repo) => (request) => dial({ ...request, asker: repo.organizationId }),
      reach: openAccess,
      take,
      list: async (repo, of) => {
        await this.#ensure(repo, [of.commit])
        return local.lfs.list(repo, of)
      },
    })
  }

  mirror(repo: RepoRef, { signal, commits = [] }: MirrorOptions = {}): Promise<Mirror> {
    return this.#inTurn(repo.path, signal, async () => {
      await this.#renew(repo, { signal, commits })
      return this.#local.mirror(repo)
    })
  }

  push(repo: RepoRef, request: PushRequest): Promise<PushResult> {
    return this.#inTurn(repo.path, request.signal, () => this.#push(repo, request))
  }

  deleteBranch(repo: RepoRef, { branch, expected }: DeleteBranch): Promise<boolean> {
    return this.#inTurn(repo.path, undefined, async () => {
      const renew = () => this.#renew(repo, { signal: undefined, commits: [] })
      await renew()
      const at = await readBranch(this.#folderOf(repo), branch)
      if (at !== expected) return at === null
      const ref = `refs/heads/${branch}`
      const push = ['push', '--porcelain', '--no-verify', `--force-with-lease=${ref}:${expected}`]
      const words = (address: string) => [...push, '--end-of-options', address, `:${ref}`]
      const { exitCode, stdout, stderr } = await this.#reach(repo, { need: 'write', words, signal: undefined })
      if (exitCode === 0) return (await renew(), true)
      const refused = refusalIn(stdout.toString(), stderr)
      if (!refused) throw await this.#explain(repo, 'write', stderr)
      if (refused.reason === 'stale') return false
      throw new HostError('forbidden', refused.message)
    })
  }

  check(repo: RepoRef, request: CheckRequest): Promise<CheckResult> {
    return this.#local.check(repo, request)
  }

  async diff(repo: RepoRef, compare: { base: string | null; head: string; bytesMax: number }): Promise<string> {
    await this.#ensure(repo, [compare.base, compare.head])
    return this.#local.diff(repo, compare)
  }

  /** Whoever types a name asks for each letter, and waits for one fetch. */
  listBranches(repo: RepoRef): Promise<Map<string, string>> {
    return this.#inTurn(repo.path, undefined, async () => {
      const renewedAt = this.#renewedAtMs.get(repo.path) ?? -Infinity
      const isFresh = performance.now() - renewedAt < gitLimits.branchesFreshMs
      if (!isFresh) await this.#renew(repo, { signal: undefined, commits: [] })
      return this.#local.listBranches(repo)
    })
  }

  async listChangedFiles(repo: RepoRef, compare: { base: string | null; head: string }): Promise<ChangedFile[]> {
    await this.#ensure(repo, [compare.base, compare.head])
    return this.#local.listChangedFiles(repo, compare)
  }

  async readComparedFile(repo: RepoRef, input: CompareFile): Promise<ComparedFile> {
    await this.#ensure(repo, [input.base, input.head])
    return this.#local.readComparedFile(repo, input)
  }

  async readFile(repo: RepoRef, file: { path: string; commit: string; bytesMax: number }): Promise<Buffer | null> {
    await this.#ensure(repo, [file.commit])
    return this.#local.readFile(repo, file)
  }

  async listFiles(repo: RepoRef, of: ListFiles): Promise<ListedFile[]> {
    await this.#ensure(repo, [of.commit])
    return this.#local.listFiles(repo, of)
  }

  async listSubmodules(repo: RepoRef, of: { commit: string }): Promise<Submodule[]> {
    await this.#ensure(repo, [of.commit])
    return this.#local.listSubmodules(repo, of)
  }

  async listSubjects(repo: RepoRef, of: { commit: string; count: number }): Promise<string[]> {
    await this.#ensure(repo, [of.commit])
    return this.#local.listSubjects(repo, of)
  }

  /** Brings the mirror up to date, unless it is asked for commits that it holds. */
  async #ensure(repo: RepoRef, names: readonly (string | null)[]): Promise<void> {
    const known = names.filter((name) => name !== null)
    const commits = known.filter((name) => /^[0-9a-f]{40}$/.test(name))
    const held = await Promise.all(commits.map((commit) => this.#holds(repo, commit)))
    if (commits.length === known.length && held.every(Boolean)) return
    await this.#inTurn(repo.path, undefined, () => this.#renew(repo, { signal: undefined, commits }))
  }

  async #renew(repo: RepoRef, { signal, commits }: Renew): Promise<void> {
    await this.#local.createRepository(repo, { defaultBranch: 'main' })
    if (await this.#takeIn(repo, { ref: heads, signal })) await this.#get(repo, { verb: fetch, ref: heads, signal })
    for (const ref of commits) {
      if (await this.#holds(repo, ref)) continue
      await this.#takeIn(repo, { ref, signal })
      if (!(await this.#holds(repo, ref))) await this.#get(repo, { verb: fetch, ref, signal })
    }
    this.#rememberRenewed(repo)
  }

  /**
   * Brings objects in, once they are counted: what is refused leaves nothing. Answers whether there is more to be done, since
   * a branch has moved.
   */
  async #takeIn(repo: RepoRef, { ref, signal }: Pick<Get, 'ref' | 'signal'>): Promise<boolean> {
    const { take } = this.#options
    if (!take) return true
    const repository = this.#folderOf(repo)
    const quarantine = await makeQuarantine(repository)
    try {
      const environment = await layOver(quarantine, repository)
      const output = await this.#get(repo, { verb: fetchOnly, ref, signal, environment })
      const bytes = await packBytes(quarantine)
      const full = bytes > 0 ? await take(repo, bytes) : null
      if (full !== null) throw new HostError('storage_full', full)
      await release(quarantine, repository)
      return / -> (?!FETCH_HEAD)/.test(output)
    } finally {
      await rm(quarantine, { recursive: true, force: true })
    }
  }

  /**
   * Answers what git said of it. Git takes any page for a repository of the oldest kind, and one without lines for an empty one,
   * in which all branches are gone: so the HEAD is asked for too, and only who answers as git may be without one.
   */
  async #get(repo: RepoRef, { verb, ref, ...rest }: Get): Promise<string> {
    let refs = ref === heads ? ['HEAD', ref] : [ref]
    const words = (address: string) => [...verb, address, ...refs]
    for (let tries = 1; ; tries++) {
      const { exitCode, stderr } = await this.#reach(repo, { need: 'read', words, ...rest })
      if (exitCode === 0) return stderr
      if (isTooLarge(stderr)) throw new HostError('too_large', tooLarge)
      const isHeadless = refs.length > 1 && stderr.includes("couldn't find remote ref HEAD")
      if (isHeadless) await this.#requireGit(repo)
      if (isHeadless && tries === triesMax - 1) refs = [ref]
      else if (tries === triesMax || !(isHeadless || isWorthATry(stderr)))
        throw await this.#explain(repo, 'read', stderr)
    }
  }

  async #requireGit(repo: RepoRef): Promise<void> {
    const seen = await this.#options.lookAt?.(repo, 'read')
    if (seen && !seen.isGit)
      throw new HostError('unavailable', 'Something else than git answered for the repository, such as a proxy.')
  }

  #rememberRenewed({ path: key }: RepoRef): void {
    this.#renewedAtMs.delete(key)
    this.#renewedAtMs.set(key, performance.now())
    const [oldest] = this.#renewedAtMs.keys()
    if (oldest !== undefined && this.#renewedAtMs.size > gitLimits.branchesFreshMax) this.#renewedAtMs.delete(oldest)
  }

  async #push(repo: RepoRef, request: PushRequest): Promise<PushResult> {
    const { branch, expected, signal } = request
    await this.#renew(repo, { signal, commits: [] })
    if (!request.sign && (await readBranch(this.#folderOf(repo), branch)) === request.commit) {
      request.pack.destroy()
      return { pushed: true, commit: request.commit }
    }
    const { protectsDefault } = this.#options
    const checked = await this.#local.push(repo, protectsDefault ? { ...request, protectedBranches: [] } : request)
    if (!checked.pushed) return checked
    const signed = await this.#sign(repo, request)
    if ('pushed' in signed) return signed
    const { commit, refs } = signed
    const ref = `refs/heads/${branch}`
    const push = ['push', '--porcelain', '--no-verify', `--force-with-lease=${ref}:${expected ?? ''}`]
    const words = (address: string) => [...push, '--end-of-options', address, `${commit}:${ref}`, ...refs]
    const { exitCode, stdout, stderr } = await this.#reach(repo, { need: 'write', words, signal })
    if (exitCode === 0) return { pushed: true, commit }
    if (!(await request.stillAllowed()))
      return { pushed: false, reason: 'lease_lost', message: 'The run is no longer held by who pushes.' }
    const refused = refusalIn(stdout.toString(), stderr)
    if (!refused) throw await this.#explain(repo, 'write', stderr)
    // Git sends again what it has lost the answer to, and the host refuses to do twice what it has done.
    await this.#renew(repo, { signal, commits: [] })
    return (await readBranch(this.#folderOf(repo), branch)) === commit ? { pushed: true, commit } : refused
  }

  /** What the branch is to be moved to, and what else the push does. */
  async #sign(repo: RepoRef, request: PushRequest): Promise<ToPush | Refused> {
    const { signer } = this.#options
    const { sign, commit, signal } = request
    if (!sign || !signer || !(await signer.signsCommits(repo))) return { commit, refs: [] }
    return signPush({
      repository: this.#folderOf(repo),
      request,
      sign,
      signCommit: (unsigned) => signer.signCommit(repo, unsigned),
      push: async (refspec) => {
        const push = ['push', '--porcelain', '--force', '--no-verify', '--end-of-options']
        const words = (address: string) => [...push, address, refspec]
        const { exitCode, stdout, stderr } = await this.#reach(repo, { need: 'write', words, signal })
        if (exitCode === 0) return null
        const refused = refusalIn(stdout.toString(), stderr)
        if (!refused) throw await this.#explain(repo, 'write', stderr)
        return refused
      },
    })
  }

  async #explain(repo: RepoRef, need: 'read' | 'write', stderr: string): Promise<HostError> {
    const error = this.#options.explain(stderr)
    if (error.code !== 'rate_limited') return error
    const seen = await this.#options.lookAt?.(repo, need).catch(() => undefined)
    return new HostError(error.code, error.message, {
      ...(seen?.retryInMs !== undefined && { retryInMs: seen.retryInMs }),
    })
  }

  async #reach(repo: RepoRef, reach: Reach): Promise<GitResult> {
    const result = await this.#run(repo, reach, null)
    if (result.exitCode === 0) return result
    // Whoever follows a redirect shows what it leads to the credential: the host is asked for the name instead.
    if (/returned error: 30[1278]\b/.test(result.stderr)) return this.#run(repo, reach, 'renamed')
    return isUnauthorized(result.stderr) ? this.#run(repo, reach, 'unauthorized') : result
  }

  async #run(repo: RepoRef, { need, words, signal, environment }: Reach, after: GitRefusal | null): Promise<GitResult> {
    const access = await this.#options.openAccess(repo, { need, after })
    if (access.defaultBranch !== undefined) await this.#local.setDefaultBranch(repo, access.defaultBranch)
    return runGit({
      repository: this.#folderOf(repo),
      arguments: words(access.address),
      protocols: ['http', 'https'],
      config: [
        ['http.extraHeader', `Authorization: ${access.authorization}`],
        ['http.followRedirects', 'false'],
        ['fetch.unpackLimit', '1'],
        ...importChecks,
        ...slowSenders,
        ...(access.config ?? []),
      ],
      memoryBytesMax: limits.importMemoryBytesMax,
      cpuSecondsMax: gitLimits.unpackCpuSecondsMax,
      fileBytesMax: gitLimits.mirrorPackBytesMax,
      timeoutMs: limits.importMsMax,
      ...(environment && { environment }),
      ...(signal && { signal }),
    })
  }

  async #holds(repo: RepoRef, commit: string): Promise<boolean> {
    const repository = this.#folderOf(repo)
    if (!(await exists(path.join(repository, 'HEAD')))) return false
    const look = ['cat-file', '-e', `${commit}^{commit}`]
    return (await runGit({ repository, arguments: look, timeoutMs: limits.gitCommandMs })).exitCode === 0
  }

  #folderOf(repo: RepoRef): string {
    return folderOf(path.resolve(this.#options.folder), repo)
  }
}

/** Two fetches at once may lock the same ref; what the host refuses it refuses again. */
const isWorthATry = (stderr: string) =>
  !/not found|returned error: 4|Authentication failed|could not read/i.test(stderr)

/** Git, which nobody is there to answer, asks for a name where the credential was refused. */
export const isUnauthorized = (stderr: string) =>
  /returned error: 401|Authentication failed|could not read Username/i.test(stderr)

/** What the host says of the branch: `!\t<commit>:<ref>\t[remote rejected] (this run may not push)`, and above it why. */
function refusalIn(porcelain: string, stderr: string): Refused | undefined {
  const [, kind = '', why = ''] = /^!\t\S+\t\[([a-z ]+)\] \((.*)\)$/m.exec(porcelain) ?? []
  if (!kind) return undefined
  if (kind !== 'remote rejected')
    return { pushed: false, reason: 'stale', message: `The branch moved in the meantime: ${why}.` }
  const remarks = stderr.matchAll(/^remote: (?:error: )?(.*\S)\s*$/gm)
  const reasons = [why, ...Array.from(remarks, ([, remark]) => remark)].join('; ').slice(0, 1_000)
  return { pushed: false, reason: 'protected', message: `The host rejected it: ${reasons}.` }
}
