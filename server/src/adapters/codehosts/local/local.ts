import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#base/errors.ts'
import { fairTurns, type FairTurns } from '#base/concurrency/fair-turns.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { Names } from '#base/network/names.ts'
import {
  HostError,
  type CodeHost,
  type Forge,
  type OpenPull,
  type PullRequest,
  type RepoRef,
} from '#adapters/codehosts/code-host.ts'
import { askGit } from './ask-git.ts'
import { collectRepository, type Collected, type CollectOptions } from './collect-repository.ts'
import { createRepository } from './create-repository.ts'
import { deleteBranch, type DeleteBranch } from './delete-branch.ts'
import { findSource, importRepository, type Imported } from './import-repository.ts'
import { landCommit, type LandCommit } from './land-commit.ts'
import { languageOf } from './language-of.ts'
import { listFiles } from './list-files.ts'
import { listChangedFiles, type ChangedFile } from './list-changed-files.ts'
import { noForge } from './no-forge.ts'
import {
  prepareMerge,
  prepareRevert,
  type PreparedMerge,
  type PrepareMerge,
  type PrepareRevert,
} from './prepare-merge.ts'
import { sweepQuarantines } from './quarantine.ts'
import { countRefs, readBranches } from './read-branches.ts'
import { hasDiff, readDiff, type InLine } from './read-diff.ts'
import { readComparedFile, type CompareFile, type ComparedFile } from './read-compared-file.ts'
import { readFile } from './read-file.ts'
import { checkPack, receivePack } from './receive-pack.ts'
import { existingFolderOf, folderOf, removeFolder } from './repository-folder.ts'
import type { ImportRules } from './resolve-source.ts'
import { GitError } from './run-git.ts'
import { serveGit, type ServeGit } from './serve-git.ts'
import type { RunningGit } from './start-git.ts'

/** What the database does for the host's pull requests. */
export type PullVerbs = {
  openPull(open: OpenPull & { organizationId: number }): Promise<{ pull: PullRequest; created: boolean }>
}

export type LocalHostOptions = Partial<Omit<ImportRules, 'asker'>> & {
  folder: string
  /** Who else may read the repositories, by group; nobody when not given. Needs root. */
  readableBy?: { gid: number }
  pulls: PullVerbs
  /** What the database does for all else around a repository; nothing when left out. */
  forge?: Forge
  pushBytesMax?: number
  importMsMax?: number
  importBytesMax?: number
  /** Told how many bytes are about to come in to stay; answers what is against it. Nothing is when left out. */
  takeBytes?: TakeBytes
}

/** Whose push it is the repository's holder says. */
export type TakeBytes = (repo: RepoRef, taken: { bytes: number }) => Promise<string | null>

/** The built-in host: bare repositories in one folder, and what only a host of our own has. */
export interface LocalHost extends CodeHost {
  /** Does nothing where there is one already. */
  createRepository(repo: RepoRef, options: { defaultBranch: string }): Promise<void>
  /** Rejects with `import_not_allowed` for a source that may not be copied; nothing is fetched. */
  checkSource(organizationId: number, source: string): Promise<void>
  /** Copies branches and tags of a URL, or of a path on this machine. Rejects with an `AppError`, and leaves nothing then. */
  importRepository(repo: RepoRef, source: string, options?: { signal?: AbortSignal }): Promise<Imported>
  /** Does nothing where there is none. */
  removeRepository(repo: RepoRef): Promise<void>
  setDefaultBranch(repo: RepoRef, branch: string): Promise<void>
  /** Commits of all branches, by name. Of a repository elsewhere as they were a moment ago. */
  listBranches(repo: RepoRef): Promise<Map<string, string>>
  /** The language that most of the default branch is written in. */
  languageOf(repo: RepoRef): Promise<string | null>
  /** What a diff of the same changes, file by file. */
  listChangedFiles(repo: RepoRef, compare: { base: string | null; head: string }): Promise<ChangedFile[]>
  /** A file as it is on one side of a diff of the same changes. */
  readComparedFile(repo: RepoRef, wanted: CompareFile): Promise<ComparedFile>
  /** Makes the commit that a branch would be at after a merge, and moves nothing. */
  prepareMerge(repo: RepoRef, request: PrepareMerge): Promise<PreparedMerge>
  /** Makes the commit that undoes what led from one commit of a branch to a later one, and moves nothing. */
  prepareRevert(repo: RepoRef, request: PrepareRevert): Promise<PreparedMerge>
  /** True once there is no such branch; false where it is not at the commit that is expected. */
  deleteBranch(repo: RepoRef, request: DeleteBranch): Promise<boolean>
  /** Moves a branch from where it is expected; true also where it holds the commit already. */
  landCommit(repo: RepoRef, request: LandCommit): Promise<boolean>
  /** Branches, tags and all else that has a name. */
  countRefs(repo: RepoRef): Promise<number>
  /** What a repository takes up on this disk, after what nothing reaches was collected, where it is much and old enough. */
  collect(repo: RepoRef, options: CollectOptions): Promise<Collected>
  /** Takes away what killed processes have left of pushes. */
  sweep(): Promise<void>
  /** Git's own server program, for the gateway that speaks HTTP. */
  serveGit(repo: RepoRef, request: ServeGit): Promise<RunningGit>
}

export function openLocalHost(options: LocalHostOptions): LocalHost {
  const root = makeRoot(options)
  const { importPaths = [], privateHosts = [], lookup = new Names().lookup } = options
  const rules = { importPaths, privateHosts, lookup }
  const pushBytesMax = options.pushBytesMax ?? limits.pushBytesMax
  const takeBytes = async (repo: RepoRef, bytes: number) => (await options.takeBytes?.(repo, { bytes })) ?? null
  const folder = (repo: RepoRef) => existingFolderOf(root, repo)
  const { looking, packs, served } = lines
  /** What waits for its turn by itself, where it is not remembered. */
  const compared = <T>(repo: RepoRef, work: (folder: string, inLine: InLine) => Promise<T>) =>
    answering(async () =>
      work(await folder(repo), (work) => lines.comparing(String(repo.organizationId), undefined, work)),
    )
  /** What git works out for an organization, in its turn. */
  const inTurn = <T>(turns: FairTurns, repo: RepoRef, work: (folder: string) => Promise<T>, signal?: AbortSignal) =>
    answering(async () => {
      const repository = await folder(repo)
      return turns(String(repo.organizationId), signal, () => work(repository))
    })
  return {
    ...(options.forge ?? noForge),
    kind: 'local',
    listFiles: (repo, of) => inTurn(looking, repo, (repository) => listFiles(repository, of)),
    readFile: (repo, file) => inTurn(looking, repo, (repository) => readFile(repository, file)),
    createRepository: (repo, { defaultBranch }) => answering(() => createRepository(root, repo, defaultBranch)),
    checkSource: async (organizationId, source) =>
      void (await answering(() => findSource(source, { ...rules, asker: organizationId }))),
    importRepository: (repo, source, { signal } = {}) =>
      answering(() =>
        packs(String(repo.organizationId), signal, () =>
          importRepository(root, repo, source, {
            ...rules,
            take: (bytes) => takeBytes(repo, bytes),
            asker: repo.organizationId,
            bytesMax: options.importBytesMax ?? gitLimits.importBytesMax,
            timeoutMs: options.importMsMax ?? limits.importMsMax,
            ...(signal && { signal }),
          }),
        ),
      ),
    removeRepository: (repo) => answering(() => removeFolder(folderOf(root, repo))),
    setDefaultBranch: (repo, branch) => answering(async () => pointHead(await folder(repo), branch)),
    listBranches: (repo) => inTurn(looking, repo, readBranches),
    languageOf: (repo) => inTurn(looking, repo, languageOf),
    listChangedFiles: (repo, compare) => compared(repo, (at, inLine) => listChangedFiles(at, compare, inLine)),
    readComparedFile: (repo, wanted) => compared(repo, (at, inLine) => readComparedFile(at, wanted, inLine)),
    prepareMerge: (repo, request) => inTurn(lines.comparing, repo, (repository) => prepareMerge(repository, request)),
    prepareRevert: (repo, request) => inTurn(lines.comparing, repo, (repository) => prepareRevert(repository, request)),
    deleteBranch: (repo, request) => answering(async () => deleteBranch(await folder(repo), request)),
    landCommit: (repo, request) => answering(async () => landCommit(await folder(repo), request)),
    collect: (repo, given) => answering(async () => collectRepository(await folder(repo), given)),
    countRefs: (repo) => answering(async () => countRefs(await folder(repo))),
    sweep: () => sweepQuarantines(root),
    serveGit: async (repo, request) => serving(served, repo, async () => serveGit(await folder(repo), request)),
    mirror: (repo) =>
      answering(async () => {
        const repository = await folder(repo)
        return { objectsPath: path.join(repository, 'objects'), branches: await readBranches(repository) }
      }),
    push: (repo, request) =>
      inTurn(
        packs,
        repo,
        (repository) => receivePack(repository, { ...request, take: (bytes) => takeBytes(repo, bytes) }, pushBytesMax),
        request.signal,
      ),
    check: (repo, request) =>
      inTurn(packs, repo, (repository) => checkPack(repository, request, pushBytesMax), request.signal),
    diff: (repo, compare) => compared(repo, (at, inLine) => readDiff(at, compare, inLine)),
    openPull: (repo, open) => answering(async () => openPull(await folder(repo), { repo, open, verbs: options.pulls })),
  }
}

/**
 * In which git waits for its turn, in all of this process: comparisons, which may be much work; looks, which are short and do not
 * wait for those; and packs that come in, whose senders may be slow. Clones, which may take an hour, are counted instead.
 */
const lines = {
  comparing: fairTurns({
    atOnceMax: gitLimits.comparingAtOnceMax,
    perKeyMax: gitLimits.comparingPerOrganizationMax,
    waitingMax: gitLimits.waitingPerOrganizationMax,
    waitMs: gitLimits.waitMs,
  }),
  looking: fairTurns({
    atOnceMax: gitLimits.lookingAtOnceMax,
    perKeyMax: gitLimits.lookingPerOrganizationMax,
    waitingMax: gitLimits.waitingPerOrganizationMax,
    waitMs: gitLimits.waitMs,
  }),
  packs: fairTurns({
    atOnceMax: gitLimits.packsAtOnceMax,
    perKeyMax: gitLimits.packsPerOrganizationMax,
    waitingMax: gitLimits.waitingPerOrganizationMax,
    waitMs: gitLimits.packWaitMs,
  }),
  served: new Map<number, number>(),
}

/** Where an organization has that many clones and pushes under way, one more is refused. */
async function serving(
  served: Map<number, number>,
  { organizationId }: RepoRef,
  start: () => Promise<RunningGit>,
): Promise<RunningGit> {
  const now = served.get(organizationId) ?? 0
  if (now >= gitLimits.servedPerOrganizationMax)
    throw new HostError(
      'unavailable',
      'Too many clones and pushes of this organization are under way. Try again later.',
    )
  const count = (change: number) => {
    const left = (served.get(organizationId) ?? 0) + change
    if (left) served.set(organizationId, left)
    else served.delete(organizationId)
  }
  count(1)
  try {
    const git = await start()
    void git.ended.then(() => count(-1))
    return git
  } catch (error) {
    count(-1)
    throw error
  }
}

/** The one wall between the repositories and other users of the machine: below it everything may be read. */
function makeRoot({ folder, readableBy }: LocalHostOptions): string {
  const root = path.resolve(folder)
  mkdirSync(root, { recursive: true })
  if (readableBy) chownSync(root, process.getuid?.() ?? -1, readableBy.gid)
  chmodSync(root, readableBy ? 0o750 : 0o700)
  return root
}

/** A git that failed is the host's fault, in the host's words. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitError) {
      const code = error.reason === 'too_much' ? 'too_large' : 'unavailable'
      throw new HostError(code, error.message, { cause: error })
    }
    if (error instanceof AppError && error.code === 'unavailable')
      throw new HostError('unavailable', error.message, { cause: error })
    throw error
  }
}

async function pointHead(repository: string, branch: string): Promise<void> {
  await askGit({
    repository,
    arguments: ['symbolic-ref', 'HEAD', `refs/heads/${branch}`],
    timeoutMs: limits.gitCommandMs,
  })
}

async function openPull(
  repository: string,
  { repo, open, verbs }: { repo: RepoRef; open: OpenPull; verbs: PullVerbs },
): Promise<{ pull: PullRequest; created: boolean }> {
  if (!(await hasDiff(repository, open.baseBranch, open.headCommit))) {
    throw new HostError('no_diff', `${open.headBranch} changes nothing that ${open.baseBranch} does not hold.`)
  }
  return verbs.openPull({ ...open, organizationId: repo.organizationId })
}
