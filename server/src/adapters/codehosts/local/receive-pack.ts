import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { CheckRequest, CheckResult, PushRefusal, PushRequest, PushResult } from '#adapters/codehosts/git-store.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { inspectObjects } from './inspect-objects.ts'
import { listPushedFiles } from './list-pushed-files.ts'
import { readBranch, readDefaultBranch } from './read-branches.ts'
import { layOver, makeQuarantine, packBytes, release } from './quarantine.ts'
import { GitError, complaintOf, runGit, type RunGit } from './run-git.ts'
import { noCommit } from './start-git.ts'

/** `take`: counts what comes in to stay, or answers what is against it. */
export type ReceivePack = PushRequest & { take: (bytes: number) => Promise<string | null> }

/**
 * Takes a pack from where agents work, and moves one branch to a commit of it. Nothing of it is believed: the pack is
 * unpacked and checked in quarantine, and only a commit with all that it reaches comes over. Hooks, settings and
 * attributes of the repository that it was made in have no way here.
 */
export async function receivePack(repository: string, request: ReceivePack, bytesMax: number): Promise<PushResult> {
  try {
    return (await refuseEarly(repository, request)) ?? (await takeOver(repository, request, bytesMax))
  } finally {
    request.pack.destroy()
  }
}

/** The same look at a pack that comes over later, if at all. */
export async function checkPack(repository: string, request: CheckRequest, bytesMax: number): Promise<CheckResult> {
  const quarantine = await makeQuarantine(repository)
  try {
    const at = { repository, quarantine, request }
    const bad = (await unpack({ ...at, bytesMax })) ?? (await check(at))
    return bad && !bad.pushed ? { isWhole: false, message: bad.message } : { isWhole: true }
  } finally {
    request.pack.destroy()
    await rm(quarantine, { recursive: true, force: true })
  }
}

const refused = (reason: PushRefusal, message: string): PushResult => ({ pushed: false, reason, message })

async function refuseEarly(repository: string, request: PushRequest): Promise<PushResult | null> {
  await checkNames(request)
  const at = await readBranch(repository, request.branch)
  // Also the second try of a push whose answer was lost.
  if (at === request.commit) return { pushed: true, commit: at }
  const protectedBranches = request.protectedBranches ?? [await readDefaultBranch(repository)]
  if (protectedBranches.includes(request.branch)) {
    return refused('protected', `The branch ${request.branch} is protected: work is pushed to a branch of its own.`)
  }
  return at === request.expected ? null : refused('stale', staleMessage(request, at))
}

async function checkNames({ branch, commit }: PushRequest): Promise<void> {
  const { exitCode } = await runGit({
    arguments: ['check-ref-format', `refs/heads/${branch}`],
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0 || branch.startsWith('-')) throw new HostError('forbidden', `"${branch}" is no name for a branch.`)
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new HostError('forbidden', `"${commit}" is no commit.`)
}

const staleMessage = ({ branch, expected }: PushRequest, at: string | null) =>
  `The branch ${branch} is at ${at ?? 'nothing'}, not at ${expected ?? 'nothing'} any more.`

async function takeOver(repository: string, request: ReceivePack, bytesMax: number): Promise<PushResult> {
  const quarantine = await makeQuarantine(repository)
  try {
    const bad =
      (await unpack({ repository, quarantine, request, bytesMax })) ??
      (await check({ repository, quarantine, request })) ??
      (await checkFiles({ repository, quarantine, request })) ??
      (await checkHolds({ repository, quarantine, request }, request)) ??
      (await inspectAll({ repository, quarantine, request }, request)) ??
      (await inspectFiles({ repository, quarantine, request }, request))
    if (bad) return bad
    request.signal?.throwIfAborted()
    // Objects that no branch reaches do no harm; nothing may come between the question and the move.
    const full = await request.take(await packBytes(quarantine))
    if (full !== null) return refused('storage_full', full)
    await release(quarantine, repository)
    if (!(await request.stillAllowed())) return refused('lease_lost', 'The run is no longer held by who pushes.')
    return await moveBranch(repository, request)
  } catch (error) {
    if (!(error instanceof GitError) || error.reason !== 'too_much') throw error
    return refused('too_large', 'The push needs more memory or time to be checked than it is given.')
  } finally {
    await rm(quarantine, { recursive: true, force: true })
  }
}

type Quarantined = { repository: string; quarantine: string; request: CheckRequest }

const inQuarantine = ({ repository, quarantine, request }: Quarantined, words: string[]): RunGit => ({
  repository,
  arguments: words,
  environment: { GIT_OBJECT_DIRECTORY: quarantine, GIT_QUARANTINE_PATH: quarantine },
  memoryBytesMax: limits.unpackMemoryBytesMax,
  cpuSecondsMax: gitLimits.unpackCpuSecondsMax,
  timeoutMs: limits.importMsMax,
  ...(request.signal && { signal: request.signal }),
})

async function unpack(at: Quarantined & { bytesMax: number }): Promise<PushResult | null> {
  await layOver(at.quarantine, at.repository)
  const counted = { bytes: 0 }
  const patience = dropSlow(at.request.pack, counted)
  try {
    const { exitCode, stderr } = await runGit({
      ...inQuarantine(at, ['index-pack', '--strict', '--stdin', '--fix-thin']),
      input: Readable.from(upTo(at.bytesMax, at.request.pack, counted), { objectMode: false }),
    })
    // A sender with nothing to send may send nothing at all; then the commit must be here.
    return exitCode === 0 || counted.bytes === 0 ? null : refused('bad_pack', complaintOf(stderr))
  } catch (error) {
    if (error instanceof PackTooLarge) {
      return refused('too_large', `The push is larger than ${Math.floor(at.bytesMax / 1024 / 1024)} MiB.`)
    }
    if (error instanceof TooSlow) return refused('bad_pack', error.message)
    if (error instanceof GitError) return refused('bad_pack', error.message)
    throw error
  } finally {
    clearInterval(patience)
  }
}

class TooSlow extends Error {}

/** Whoever sends next to nothing keeps others of its organization waiting. */
function dropSlow(pack: Readable, counted: { bytes: number }): NodeJS.Timeout {
  const { lowSpeedBytes, lowSpeedSeconds } = gitLimits
  let before = 0
  return setInterval(() => {
    const isSlow = !pack.readableEnded && counted.bytes - before < lowSpeedBytes * lowSpeedSeconds
    before = counted.bytes
    if (isSlow) pack.destroy(new TooSlow(`The push has sent next to nothing for ${lowSpeedSeconds} seconds.`))
  }, lowSpeedSeconds * 1_000)
}

class PackTooLarge extends Error {}

async function* upTo(bytesMax: number, pack: Readable, counted: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of pack as AsyncIterable<Buffer>) {
    counted.bytes += chunk.length
    if (counted.bytes > bytesMax) throw new PackTooLarge()
    yield chunk
  }
}

async function check(at: Quarantined): Promise<PushResult | null> {
  const { commit } = at.request
  const kind = await runGit(inQuarantine(at, ['cat-file', '-t', commit]))
  if (kind.exitCode !== 0) return refused('bad_pack', `The pack does not hold ${commit}.`)
  if (kind.stdout.toString().trim() !== 'commit') return refused('bad_pack', `${commit} is not a commit.`)
  const reachable = await runGit(inQuarantine(at, ['rev-list', '--objects', '--quiet', commit, '--not', '--all']))
  return reachable.exitCode === 0
    ? null
    : refused('bad_pack', `The push is not whole: ${complaintOf(reachable.stderr)}`)
}

/** Folders that name each other may hold more files than anybody can ever list, in a few bytes. */
async function checkFiles(at: Quarantined): Promise<PushResult | null> {
  const list = inQuarantine(at, ['ls-tree', '-r', '-z', '--name-only', at.request.commit])
  const { isCut } = await runGit({ ...list, outputBytesMax: limits.pushNamesBytesMax, onOutput: () => {} })
  return isCut ? refused('too_large', 'The push holds more files than can be handled.') : null
}

async function checkHolds(at: Quarantined, { branch, commit, mustHold = [] }: PushRequest): Promise<PushResult | null> {
  for (const known of mustHold) {
    const isHeld = await runGit(inQuarantine(at, ['merge-base', '--is-ancestor', known, commit]))
    if (isHeld.exitCode !== 0)
      return refused(
        'drops_work',
        `The branch ${branch} holds work of others, up to ${known}, which this would drop; or its own work from after the backup that the service was restored from.`,
      )
  }
  return null
}

async function inspectAll(at: Quarantined, { commit, inspect }: PushRequest): Promise<PushResult | null> {
  if (!inspect) return null
  const complaint = await inspectObjects({ at: (words) => inQuarantine(at, words), commit, inspect })
  return complaint === null ? null : refused('holds_secret', complaint)
}

async function inspectFiles(at: Quarantined, request: PushRequest): Promise<PushResult | null> {
  const { commit, inspectFiles: inspection, mustHold = [] } = request
  if (!inspection) return null
  const files = await listPushedFiles({
    at: (words) => inQuarantine(at, words),
    commit,
    since: inspection.since,
    known: mustHold,
  })
  const complaint = inspection.whyNot(files)
  return complaint === null ? null : refused('needs_person', complaint)
}

async function moveBranch(repository: string, request: PushRequest): Promise<PushResult> {
  const { branch, commit, expected } = request
  const moved = await runGit({
    repository,
    arguments: ['update-ref', `refs/heads/${branch}`, commit, expected ?? noCommit],
    timeoutMs: limits.gitCommandMs,
  })
  if (moved.exitCode === 0) return { pushed: true, commit }
  const at = await readBranch(repository, branch)
  if (at === commit) return { pushed: true, commit }
  if (at !== expected) return refused('stale', staleMessage(request, at))
  throw new HostError('unavailable', complaintOf(moved.stderr))
}
