import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#base/errors.ts'
import { fairTurns, type FairTurns } from '#base/concurrency/fair-turns.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { Names } from '#base/network/names.ts'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { GitStore, Mirror } from '#adapters/codehosts/git-store.ts'
import { askGit } from './ask-git.ts'
import { bundleRepository, readBundle } from './bundle-repository.ts'
import { collectRepository } from './collect-repository.ts'
import { createRepository } from './create-repository.ts'
import { deleteBranch } from './delete-branch.ts'
import { findSource, importRepository } from './import-repository.ts'
import { landCommit } from './land-commit.ts'
import { languageOf } from './language-of.ts'
import { listFiles } from './list-files.ts'
import { listLfsObjects } from './list-lfs-objects.ts'
import { listSubjects } from './list-subjects.ts'
import { listSubmodules } from './list-submodules.ts'
import { listChangedFiles } from './list-changed-files.ts'
import { Maintenance } from './maintenance.ts'
import { openLocalLfs } from './open-local-lfs.ts'
import { prepareMerge, prepareRevert } from './prepare-merge.ts'
import { sweepQuarantines } from './quarantine.ts'
import { countRefs, readBranches } from './read-branches.ts'
import { hasDiff, readDiff, type InLine } from './read-diff.ts'
import { readComparedFile } from './read-compared-file.ts'
import { readFile } from './read-file.ts'
import { checkPack, receivePack } from './receive-pack.ts'
import type { RepositoryAdmin } from './repository-admin.ts'
import { existingFolderOf, folderOf, removeFolder } from './repository-folder.ts'
import type { ImportRules } from './resolve-source.ts'
import { GitError } from './run-git.ts'
import { serveGit } from './serve-git.ts'
import type { RunningGit } from './start-git.ts'

export type LocalHostOptions = Partial<Omit<ImportRules, 'asker'>> & {
  folder: string
  /** Who else may read the repositories, by group; nobody when not given. Needs root. */
  readableBy?: { gid: number }
  pushBytesMax?: number
  importMsMax?: number
  importBytesMax?: number
  /** Told how many bytes are about to come in to stay; answers what is against it. Nothing is when left out. */
  takeBytes?: TakeBytes
}

/** Whose push it is the repository's holder says. */
export type TakeBytes = (repo: RepoRef, taken: { bytes: number }) => Promise<string | null>

/** Bare repositories in one folder. */
export type LocalHost = GitStore & RepositoryAdmin

export function openLocalHost(options: LocalHostOptions): LocalHost {
  const root = makeRoot(options)
  const { importPaths = [], privateHosts = [], lookup = new Names().lookup } = options
  const rules = { importPaths, privateHosts, lookup }
  const pushBytesMax = options.pushBytesMax ?? limits.pushBytesMax
  const takeBytes = async (repo: RepoRef, bytes: number) => (await options.takeBytes?.(repo, { bytes })) ?? null
  const maintenance = new Maintenance((repo) => folderOf(root, repo))
  const folder = (repo: RepoRef) => existingFolderOf(root, repo).then((at) => (maintenance.note(repo), at))
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
    lfs: openLocalLfs({ folderOf: folder, inTurn, lines }),
    listFiles: (repo, of) => inTurn(looking, repo, (repository) => listFiles(repository, of)),
    listSubmodules: (repo, of) => inTurn(looking, repo, (repository) => listSubmodules(repository, of)),
    listSubjects: (repo, of) => inTurn(looking, repo, (repository) => listSubjects(repository, of)),
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
    removeOrganization: ({ organizationId }) => answering(() => removeFolder(path.join(root, String(organizationId)))),
    setDefaultBranch: (repo, branch) => answering(async () => pointHead(await folder(repo), branch)),
    listBranches: (repo) => inTurn(looking, repo, readBranches),
    languageOf: (repo) => inTurn(looking, repo, languageOf),
    listChangedFiles: (repo, compare) => compared(repo, (at, inLine) => listChangedFiles(at, compare, inLine)),
    readComparedFile: (repo, query) => compared(repo, (at, inLine) => readComparedFile(at, query, inLine)),
    hasDiff: (repo, { base, head }) => answering(async () => hasDiff(await folder(repo), base, head)),
    prepareMerge: (repo, request) => inTurn(lines.comparing, repo, (repository) => prepareMerge(repository, request)),
    prepareRevert: (repo, request) => inTurn(lines.comparing, repo, (repository) => prepareRevert(repository, request)),
    deleteBranch: (repo, request) => answering(async () => deleteBranch(await folder(repo), request)),
    landCommit: (repo, request) => answering(async () => landCommit(await folder(repo), request)),
    collect: (repo, input) => answering(async () => collectRepository(await folder(repo), input)),
    countRefs: (repo) => answering(async () => countRefs(await folder(repo))),
    maintain: (options) => maintenance.maintain(options),
    sweep: () => sweepQuarantines(root),
    ...copying(folder, served),
    serveGit: (repo, request) =>
      maintenance.noteAfter(repo, () => serving(served, repo, async () => serveGit(await folder(repo), request))),
    mirror: (repo) => answering(async () => openMirror(await folder(repo))),
    push: (repo, pushed) => {
      const request = { ...pushed, take: (bytes: number) => takeBytes(repo, bytes) }
      return inTurn(packs, repo, (repository) => receivePack(repository, request, pushBytesMax), pushed.signal)
    },
    check: (repo, request) =>
      inTurn(packs, repo, (repository) => checkPack(repository, request, pushBytesMax), request.signal),
    diff: (repo, compare) => compared(repo, (at, inLine) => readDiff(at, compare, inLine)),
  }
}

/** For who takes all of a repository away. */
function copying(
  folder: (repo: RepoRef) => Promise<string>,
  served: Map<number, number>,
): Pick<RepositoryAdmin, 'bundle' | 'listLfsObjects'> {
  return {
    async *bundle(repo, options) {
      const git = await serving(served, repo, async () => bundleRepository(await folder(repo), options))
      if (git) yield* readBundle(git)
    },
    async *listLfsObjects(repo) {
      yield* listLfsObjects(await folder(repo))
    },
  }
}

async function openMirror(repository: string): Promise<Mirror> {
  return { objectsPath: path.join(repository, 'objects'), branches: await readBranches(repository) }
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
async function serving<Git extends RunningGit | null>(
  served: Map<number, number>,
  { organizationId }: RepoRef,
  start: () => Promise<Git>,
): Promise<Git> {
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
    if (git) void git.ended.then(() => count(-1))
    else count(-1)
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
