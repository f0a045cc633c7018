import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import { AppError } from '#base/errors.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { importChecks, isTooLarge, slowSenders } from './import-checks.ts'
import { packRefs, unsyncedRefs } from './pack-refs.ts'
import { readBranches } from './read-branches.ts'
import { exists, folderBytes, folderOf, initRepository, makeStaging } from './repository-folder.ts'
import { resolveSource, type ImportRules, type ImportSource } from './resolve-source.ts'
import { GitError, type RunGit } from './run-git.ts'
import { writeExample } from './write-example.ts'

/** In place of an address: the project that comes with the service. */
const exampleSource = 'example'

/** Where an import comes from; null for the example. Rejects with `import_not_allowed`; nothing is fetched. */
export async function findSource(source: string, rules: ImportRules): Promise<ImportSource | null> {
  return source === exampleSource ? null : resolveSource(source, rules)
}

/** `take`: counts what comes in to stay, or answers what is against it. */
export type ImportOptions = ImportRules & {
  take: (bytes: number) => Promise<string | null>
  bytesMax: number
  timeoutMs?: number
  signal?: AbortSignal
}
export type Imported = { defaultBranch: string; importedFrom: string }

/**
 * Copies a repository's branches and tags from elsewhere. Nothing else comes along: no settings, no hooks, nothing that
 * is not committed. Rejects with `import_not_allowed` or `import_failed`, and then leaves nothing.
 */
export async function importRepository(
  root: string,
  repo: RepoRef,
  source: string,
  options: ImportOptions,
): Promise<Imported> {
  const folder = folderOf(root, repo)
  if (await exists(folder)) throw new HostError('forbidden', `There is a repository at ${repo.path} already.`)
  const from = await findSource(source, options)
  const staging = await makeStaging(path.dirname(folder), '.import-')
  try {
    const defaultBranch = from ? await fetchInto(staging, from, options) : await putExampleInto(staging)
    const full = await options.take(await folderBytes(path.join(staging, 'copy.git', 'objects')))
    if (full !== null) throw new AppError('storage_full', { message: full })
    await rename(path.join(staging, 'copy.git'), folder)
    return { defaultBranch, importedFrom: from?.importedFrom ?? exampleSource }
  } catch (error) {
    throw from ? failed(error, from, options) : error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function putExampleInto(staging: string): Promise<string> {
  const copy = path.join(staging, 'copy.git')
  await initRepository(copy, 'main')
  await writeExample(copy)
  return 'main'
}

async function fetchInto(staging: string, from: ImportSource, options: ImportOptions): Promise<string> {
  const copy = path.join(staging, 'copy.git')
  const deadline = AbortSignal.timeout(options.timeoutMs ?? limits.importMsMax)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const settings = path.join(staging, 'settings')
  await writeFile(settings, trusting(from.trustedFolder))
  const reach = (words: string[]): RunGit => ({
    repository: copy,
    arguments: words,
    protocols: from.protocols,
    config: [...from.config, ...importChecks, ...slowSenders, ['fetch.unpackLimit', '1'], unsyncedRefs],
    // A file, because git keeps what stands in the environment alone from the program that reads the source.
    environment: { ...from.environment, GIT_CONFIG_GLOBAL: settings },
    memoryBytesMax: limits.importMemoryBytesMax,
    cpuSecondsMax: gitLimits.unpackCpuSecondsMax,
    // All objects come in one pack, so this bounds what is written of an endless one.
    fileBytesMax: options.bytesMax,
    timeoutMs: limits.importMsMax,
    signal,
  })
  await initRepository(copy, 'main')
  const found = await askGit(
    reach(['ls-remote', '--quiet', '--symref', '--end-of-options', from.address, 'HEAD', ...refs]),
  )
  if (found.split('\n').length > gitLimits.refsMax)
    throw new GitError('exited', `fatal: the source has more than ${gitLimits.refsMax} branches and tags`)
  // All of its history; the depth keeps git from the old protocol of plain files, where objects come unchecked.
  const whole = ['--quiet', '--no-write-fetch-head', '--no-recurse-submodules', `--depth=${2 ** 31 - 1}`]
  const mapped = refs.map((ref) => `+${ref}:${ref}`)
  if (found) await askGit(reach(['fetch', ...whole, '--end-of-options', from.address, ...mapped]))
  await packRefs(copy)
  if (await exists(path.join(copy, 'shallow')))
    throw new GitError('exited', 'The source holds only a part of its own history.')
  const defaultBranch = findDefaultBranch(found, await readBranches(copy))
  await askGit({
    repository: copy,
    arguments: ['symbolic-ref', 'HEAD', `refs/heads/${defaultBranch}`],
    timeoutMs: limits.gitCommandMs,
  })
  return defaultBranch
}

const refs = ['refs/heads/*', 'refs/tags/*']

function trusting(folder: string | null): string {
  if (folder === null) return ''
  return `[safe]\n\tdirectory = "${folder.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"\n`
}

/** What the source's HEAD names; of one on no branch, or on none that came, the likeliest. */
function findDefaultBranch(head: string, branches: Map<string, string>): string {
  const named = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(head)?.[1]
  if (named !== undefined && (branches.has(named) || !branches.size)) return named
  const commit = /^([0-9a-f]{40})\tHEAD$/m.exec(head)?.[1]
  const usual = ['main', 'master'].filter((name) => branches.has(name))
  const there = [...branches].filter(([, at]) => at === commit).map(([name]) => name)
  return usual.find((name) => there.includes(name)) ?? there[0] ?? usual[0] ?? branches.keys().next().value ?? 'main'
}

function failed(error: unknown, from: ImportSource, { bytesMax, timeoutMs, signal }: ImportOptions): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const seconds = Math.round((timeoutMs ?? limits.importMsMax) / 1_000)
    return new AppError('import_failed', { message: `The import took longer than ${seconds} seconds.`, cause: error })
  }
  if (!(error instanceof GitError)) return error
  if (isTooLarge(error.stderr)) {
    const message = `The repository is larger than ${Math.floor(bytesMax / 2 ** 20)} MiB, the most that is imported. Whoever runs the service can raise it with RUNWRIGHT_IMPORT_MIB.`
    return new AppError('import_failed', { message, cause: error })
  }
  let reason = error.message
  for (const secret of from.secrets) reason = reason.replaceAll(secret, '***')
  return new AppError('import_failed', { message: `The repository could not be imported: ${reason}` })
}
