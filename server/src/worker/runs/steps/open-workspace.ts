import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { PullHabits } from '#adapters/engines/engine.ts'
import type { Mirror } from '#adapters/codehosts/git-store.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App, SandboxProxy } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import { noHooks, type Hooks } from '#base/hooks.ts'
import { limits } from '#base/limits.ts'
import { agreeOnBase } from '#domain/hosts/comparisons/agree-on-base.ts'
import type { CheckCommand } from '#domain/repos/environment.ts'
import type { WorkPaths } from '#domain/repos/work-paths.ts'
import { gitUrl } from '#domain/repos/repo.ts'
import { privateRepositoryName, privateRepositoryPath } from '#domain/runs/git-access/get-run-branch.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { listAskers } from '#domain/runs/messages/list-askers.ts'
import { recordBranch } from '#domain/runs/runs/record-branch.ts'
import { commitOf } from '#domain/runs/run-task.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'
import { updateStatusDetail } from '#domain/runs/runs/update-status-detail.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { listNotes } from '#domain/runs/steps/list-notes.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { RunFailure, sandboxNotMade } from '#worker/failures/run-failure.ts'
import { requireHeld } from './require-held.ts'
import { sandboxLimits } from '#worker/sandboxes/sandbox-limits.ts'
import { findRunEnvironment, type RunEnvironment } from '#worker/runs/setup/find-run-environment.ts'
import { prepareRun } from '#worker/runs/setup/prepare-run.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { checkOutSubmodules } from '#worker/runs/work-tree/check-out-submodules.ts'
import { checkOutLfs } from '#worker/runs/work-tree/check-out-lfs.ts'
import { findLfsFiles, type LfsFiles } from '#worker/runs/work-tree/find-lfs-files.ts'
import { dropGitLocks } from '#worker/runs/work-tree/drop-git-locks.ts'
import { findSubmodules, mountsOf, type Submodules } from '#worker/runs/work-tree/find-submodules.ts'
import { chooseBranch } from './choose-branch.ts'
import { findAuthors, type Authors } from './find-authors.ts'
import { findPullHabits } from './find-pull-habits.ts'
import { findStart, type FindStart } from './find-start.ts'
import { objectsMount } from '#worker/runs/work-tree/objects-in.ts'
import { plantCanary } from './plant-canary.ts'
import { recordSandbox } from './record-sandbox.ts'
import { requireIsolation } from './require-isolation.ts'

/** A sandbox with the run's work tree in it, and what the work began with. */
export type Workspace = {
  sandbox: Sandbox
  /** What its programs reach of us; null where they reach nothing. */
  proxy: SandboxProxy | null
  ref: RepoRef
  branch: string
  baseBranch: string
  /** Where the base branch was when the run began; null in an empty repository. */
  baseCommit: string | null
  /** What this turn began on; null when there was no commit yet. */
  startCommit: string | null
  /** Where the run's branch was on the host then; null when it was not there. */
  branchCommit: string | null
  submodules: Submodules
  lfs: LfsFiles
  authors: Authors
  /** The commands that check the repository's commits. */
  checks: readonly CheckCommand[]
  /** Null where it opens none, or nobody knows. */
  habits: PullHabits | null
  hooks: Hooks
}

/** What this turn's workspace was made of, and at which place; stored when it was whole. */
export type Made = {
  startCommit: string | null
  branchCommit: string | null
  place?: string
  restored?: { text: string; lost: string[]; hasHomes?: boolean } | null
}

/** The key under which it is stored of what the turn's workspaces were made; a later one adds its number. */
export const workspaceKey = (turn: number) => `t${turn}/workspace`

type OpenWorkspace = { holder: Holder; facts: TurnFacts; secrets: readonly RunSecret[]; signal: AbortSignal }

/**
 * Opens the run's sandbox. The work tree is taken as it stands where it was made for this turn at this place; else it is
 * made from the newest that is known of the run's work. The repository's objects are shown read-only, not copied.
 */
export async function openWorkspace(app: App, options: OpenWorkspace): Promise<Workspace> {
  const { holder, facts, signal } = options
  const { paths } = facts
  requireIsolation(app, facts)
  const ref = await findRepository(app, { holder, facts })
  const taskCommit = commitOf(facts.task)
  // No branch of the repository may hold it: it can be a fork's.
  const mirror = await app.hosts.git(ref).mirror(ref, { signal, commits: taskCommit === null ? [] : [taskCommit] })
  crashAt('repository.found')
  const work = await findBranch(app, { holder, facts, mirror })
  crashAt('branch.recorded')
  // Another contestant may have begun where the base branch is no more, or is since a moment ago.
  if (facts.isCompared && work.baseCommit && work.baseCommit !== mirror.branches.get(work.baseBranch))
    await app.hosts.git(ref).mirror(ref, { signal, commits: [work.baseCommit] })
  const authors = await findAuthors(app, { holder, facts })
  const environment =
    facts.repo && (await findRunEnvironment(app, { holder, repoId: facts.repo.id, ref, mirror, work }))
  const mayOpenPull = facts.repo && facts.createPullRequest && !facts.task
  const checks = environment?.checks ?? []
  const habits = mayOpenPull && work.baseCommit ? await findPullHabits(app, { ref, commit: work.baseCommit }) : null
  const hooks = (!facts.task && environment?.environment.hooks) || noHooks
  const id = sandboxId(holder)
  const notes = await listNotes(app.pool, { holder, prefix: workspaceKey(holder.turn) })
  const made = notes.flatMap(({ isDone, response }) => (isDone ? [response as Made] : []))
  const last = made.at(-1)
  // Whoever began a later one and was lost may have begun to replace the work tree, or another place to remove it.
  const isWhole = notes.at(-1)?.isDone ?? false
  const isOfThisPlace = (last?.place ?? app.place) === app.place
  const isHere = (await app.sandboxes.list()).includes(id)
  await updateStatusDetail(app.pool, holder, 'cloning')
  const commit = last?.startCommit ?? taskCommit ?? mirror.branches.get(work.branch) ?? work.baseCommit
  const askers = environment ? await listAskers(app.pool, holder) : []
  const submodules = environment
    ? await findSubmodules(app, { ...environment, ref, trusted: environment.commit, commit, paths, askers, signal })
    : { found: [], left: [] }
  const lfs = await findLfsFiles(app, { ref, commit, paths, signal })
  const own = app.engines.get(facts.agentType)?.mounts ?? {}
  if (last && isWhole && isHere && isOfThisPlace) {
    crashAt('workspace.begun')
    const mounts = { ...own, ...mountsOf(submodules), ...lfs.mounts, [objectsMount]: mirror.objectsPath }
    const started = await startSandbox(app, { holder, authors, mounts, recurs: false })
    await dropGitLocks(started.sandbox, signal)
    const { startCommit, branchCommit } = last
    return { ...started, ref, ...work, startCommit, branchCommit, submodules, lfs, authors, checks, habits, hooks }
  }
  const lostBy = last ? (isOfThisPlace ? 'sandbox_gone' : 'other_machine') : null
  const name = facts.repo?.name ?? privateRepositoryName(holder)
  const number = made.length + 1
  // A run with a task looks at code as it is, or finds out how it is prepared.
  const setup = environment && !facts.task ? { ...environment, secrets: options.secrets } : null
  return makeWorkspace(app, {
    holder,
    ref,
    name,
    isShared: facts.repo !== null,
    mirror,
    work,
    setup,
    taskCommit,
    last,
    number,
    isHere,
    lostBy,
    paths,
    submodules,
    lfs,
    authors,
    checks,
    habits,
    hooks,
    own,
    signal,
  })
}

type Work = Pick<Workspace, 'branch' | 'baseBranch' | 'baseCommit'>
type MakeWorkspace = Pick<FindStart, 'holder' | 'ref' | 'mirror' | 'lostBy'> & {
  /** The repository's, in its address. */
  name: string
  /** Whether it is not this run's alone. */
  isShared: boolean
  work: Work
  /** Null: it is not prepared. */
  setup: (RunEnvironment & { secrets: readonly RunSecret[] }) | null
  /** What a run with a task looks at. */
  taskCommit: string | null
  last: Made | undefined
  number: number
  isHere: boolean
  paths: WorkPaths
  submodules: Submodules
  lfs: LfsFiles
  authors: Authors
  checks: readonly CheckCommand[]
  habits: PullHabits | null
  hooks: Hooks
  /** What the engine's sandboxes show. */
  own: Readonly<Record<string, string>>
  signal: AbortSignal
}

async function makeWorkspace(app: App, options: MakeWorkspace): Promise<Workspace> {
  const { holder, ref, name, mirror, work, setup, taskCommit, last, number, isHere, lostBy } = options
  const { paths, submodules, lfs, authors, checks, habits, hooks, own, signal } = options
  const key = workspaceKey(holder.turn) + (number === 1 ? '' : `/${number}`)
  const { step } = await startStep(app.pool, { holder, key, kind: 'note', request: {} })
  crashAt('workspace.begun')
  const branchCommit = mirror.branches.get(work.branch) ?? null
  const began = {
    startCommit: last ? last.startCommit : (taskCommit ?? branchCommit ?? work.baseCommit),
    branchCommit: last ? last.branchCommit : branchCommit,
  }
  const start = await findStart(app, { holder, ref, mirror, branch: work.branch, began, lostBy })
  const id = sandboxId(holder)
  const hasSubmodules = submodules.found.length > 0
  const preparation =
    setup && (await prepareRun(app, { ...setup, holder, ref, mirror, paths, hasSubmodules, number, signal }))
  await requireHeld(app, holder)
  if (isHere) await app.sandboxes.remove(id)
  const shown = { ...mountsOf(submodules), ...lfs.mounts, [objectsMount]: mirror.objectsPath }
  const mounts = { ...own, ...preparation?.mounts, ...shown }
  const started = await startSandbox(app, { holder, authors, mounts, recurs: options.isShared })
  const { sandbox } = started
  crashAt('sandbox.started')
  try {
    const origin = sandbox.proxyUrl && gitUrl(sandbox.proxyUrl, { organizationId: holder.organizationId, name })
    const [{ hasHomes }] = await Promise.all([
      checkOut(sandbox, { ...work, origin, commit: start.commit, snapshot: start.snapshot, paths, signal }),
      plantCanary(app, { holder, sandbox, signal }),
    ])
    crashAt('code.checked_out')
    const lfsLeft = await checkOutLfs(sandbox, lfs, signal)
    const snapshot = start.snapshot?.commit ?? null
    const checkedOut = await checkOutSubmodules(sandbox, { ...submodules, snapshot, signal })
    await preparation?.prepare(sandbox)
    const { restored } = start
    await finishStep(app.pool, {
      holder,
      step,
      response: {
        ...began,
        place: app.place,
        restored: restored && { text: restored.text, lost: restored.lost, hasHomes },
      },
      entries: [restored?.entry, checkedOut, lfsLeft].filter((entry) => entry !== null && entry !== undefined),
      mask: app.mask,
    })
    crashAt('workspace.stored')
    return { ...started, ref, ...work, ...began, submodules, lfs, authors, checks, habits, hooks }
  } catch (error) {
    await sandbox.stop('the workspace could not be made')
    throw error
  }
}

/** `recurs`: whether other runs are likely to want the same. */
type StartSandbox = { holder: Holder; authors: Authors; mounts: Record<string, string>; recurs: boolean }
type Started = Pick<Workspace, 'sandbox' | 'proxy'>

/** Ends the earlier sandbox of the run here, whoever made it, so only whoever holds the run now may. */
async function startSandbox(app: App, { holder, ...options }: StartSandbox): Promise<Started> {
  await requireHeld(app, holder)
  const started = await createSandbox(app, { holder, ...options })
  try {
    const sandbox = await recordSandbox(app, holder, started.sandbox)
    return { ...started, sandbox }
  } catch (error) {
    await started.sandbox.stop('it could not be written down')
    throw error
  }
}

async function createSandbox(app: App, { holder, authors, mounts, recurs }: StartSandbox): Promise<Started> {
  const canary = app.redactors.canary(holder)
  const proxy = app.openSandboxProxy?.(holder) ?? null
  const secrets = proxy ? [{ name: 'RUN_TOKEN', value: proxy.token }] : []
  await app.redactors.learn(holder, [...secrets, ...(canary?.secrets ?? [])])
  try {
    const sandbox = await app.sandboxes.create({
      id: sandboxId(holder),
      // People may give a run more time while it works, so the turn's own deadline is what ends it.
      limits: sandboxLimits(app, (limits.runMinutesMax + 10) * 60_000),
      mounts,
      author: authors.by,
      recurs,
      ...(canary && { bait: canary.environment }),
      ...(proxy && { network: proxy }),
    })
    void sandbox.closed
      .then(() => proxy?.[Symbol.asyncDispose]())
      .catch((error: unknown) =>
        app.logger.warn({ err: error, runId: holder.runId }, 'a connection out of a sandbox did not close'),
      )
    return { sandbox, proxy }
  } catch (error) {
    await proxy?.[Symbol.asyncDispose]()
    throw sandboxNotMade(error)
  }
}

export function sandboxId({ organizationId, runId }: { organizationId: number; runId: number }): string {
  return `run-${organizationId}-${runId}`
}

async function findRepository(
  app: Pick<App, 'hosts'>,
  { holder, facts }: { holder: Holder; facts: TurnFacts },
): Promise<RepoRef> {
  const { organizationId } = holder
  if (facts.repo) return { organizationId, path: facts.repo.path, holder }
  const ref = { organizationId, path: privateRepositoryPath(holder), holder }
  await app.hosts.admin.createRepository(ref, { defaultBranch: 'main' })
  return ref
}

async function findBranch(
  app: Pick<App, 'mask' | 'pool'>,
  { holder, facts, mirror }: { holder: Holder; facts: TurnFacts; mirror: Mirror },
) {
  if (facts.branch && facts.baseBranch) {
    return { branch: facts.branch, baseBranch: facts.baseBranch, baseCommit: facts.baseCommit }
  }
  const baseBranch = facts.baseBranch ?? facts.repo?.defaultBranch ?? 'main'
  const tip = mirror.branches.get(baseBranch) ?? null
  const baseCommit = facts.isCompared ? await agreeOnBase(app.pool, { holder, baseCommit: tip }) : tip
  if (!baseCommit && mirror.branches.size > 0) {
    throw new RunFailure('base_branch_not_found', `The repository has no branch "${baseBranch}" to begin from.`)
  }
  const branch = await chooseBranch(app, { holder, facts, branches: mirror.branches })
  await recordBranch(app.pool, { holder, branch, baseBranch, baseCommit })
  return { branch, baseBranch, baseCommit }
}
