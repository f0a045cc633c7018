import type { Mirror, RepoRef } from '#adapters/codehosts/code-host.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app.ts'
import { crashAt } from '#base/crash-points.ts'
import { limits } from '#base/limits.ts'
import { branchName } from '#domain/runs/branch-name.ts'
import { privateRepositoryPath } from '#domain/runs/get-run-branch.ts'
import type { TurnFacts } from '#domain/runs/get-turn.ts'
import { recordBranch } from '#domain/runs/record-branch.ts'
import { updateStatusDetail } from '#domain/runs/update-status-detail.ts'
import { finishStep } from '#domain/steps/finish-step.ts'
import { startStep } from '#domain/steps/start-step.ts'
import type { Holder } from '#domain/steps/step.ts'
import { RunFailure } from '#worker/run-failure.ts'

/** A sandbox with the run's work tree in it, and what the work began with. */
export type Workspace = {
  sandbox: Sandbox
  ref: RepoRef
  branch: string
  baseBranch: string
  /** Where the base branch was when the run began; null in an empty repository. */
  baseCommit: string | null
  /** What this turn began on; null when there was no commit yet. */
  startCommit: string | null
  /** Where the run's branch was on the host then; null when it was not there. */
  branchCommit: string | null
}

/** What this turn's workspace was made of, stored when it was whole. */
type Made = { startCommit: string | null; branchCommit: string | null }

const cloneMs = 10 * 60_000
const mountName = 'objects'

/**
 * Opens the run's sandbox. After a lost worker the work tree is taken as it stands; else the code is checked out anew,
 * from the run's branch or from its base. The repository's objects are shown read-only, not copied.
 */
export async function openWorkspace(
  app: App,
  { holder, facts, signal }: { holder: Holder; facts: TurnFacts; signal: AbortSignal },
): Promise<Workspace> {
  const ref = await findRepository(app, { holder, facts })
  const mirror = await app.host.mirror(ref)
  crashAt('repository.found')
  const place = await findBranch(app, { holder, facts, mirror })
  crashAt('branch.recorded')
  const id = sandboxId(holder)
  const key = `t${holder.turn}/workspace`
  const step = await startStep(app.pool, { holder, key, kind: 'note', request: {} })
  crashAt('workspace.begun')
  const isHere = (await app.sandboxes.list()).includes(id)
  const isKept = step.done && isHere
  if (isHere && !isKept) await app.sandboxes.remove(id)
  await updateStatusDetail(app.pool, holder, 'cloning')
  const sandbox = await startSandbox(app, { id, objectsPath: mirror.objectsPath })
  crashAt('sandbox.started')
  try {
    const branchCommit = mirror.branches.get(place.branch) ?? null
    const made = step.done ? (step.response as Made) : { startCommit: branchCommit ?? place.baseCommit, branchCommit }
    if (!isKept) await checkOut(sandbox, { ...place, ...made, signal })
    crashAt('code.checked_out')
    if (!step.done) await finishStep(app.pool, { holder, step: step.step, response: made, entries: [], mask: app.mask })
    crashAt('workspace.stored')
    return { sandbox, ref, ...place, ...made }
  } catch (error) {
    await sandbox.stop('the workspace could not be made')
    throw error
  }
}

type StartSandbox = { id: string; objectsPath: string }

async function startSandbox(app: App, { id, objectsPath }: StartSandbox): Promise<Sandbox> {
  try {
    return await app.sandboxes.create({
      id,
      limits: {
        memoryBytes: app.config.sandboxMemoryBytes,
        processes: limits.sandboxProcesses,
        diskBytes: app.config.sandboxDiskBytes,
        // People may give a run more time while it works, so the turn's own deadline is what ends it.
        lifetimeMs: (limits.runMinutesMax + 10) * 60_000,
      },
      mounts: { [mountName]: objectsPath },
    })
  } catch (error) {
    throw new RunFailure('sandbox_failed', `The sandbox could not be started: ${(error as Error).message}`, {
      retryable: true,
      cause: error,
    })
  }
}

export function sandboxId({ organizationId, runId }: { organizationId: number; runId: number }): string {
  return `run-${organizationId}-${runId}`
}

async function findRepository(app: App, { holder, facts }: { holder: Holder; facts: TurnFacts }): Promise<RepoRef> {
  if (facts.repo) return { organizationId: holder.organizationId, path: facts.repo.path }
  const ref = { organizationId: holder.organizationId, path: privateRepositoryPath(holder) }
  await app.host.createRepository(ref, { defaultBranch: 'main' })
  return ref
}

async function findBranch(app: App, { holder, facts, mirror }: { holder: Holder; facts: TurnFacts; mirror: Mirror }) {
  if (facts.branch && facts.baseBranch) {
    return { branch: facts.branch, baseBranch: facts.baseBranch, baseCommit: facts.baseCommit }
  }
  const baseBranch = facts.baseBranch ?? facts.repo?.defaultBranch ?? 'main'
  const baseCommit = mirror.branches.get(baseBranch) ?? null
  if (!baseCommit && mirror.branches.size > 0) {
    throw new RunFailure('base_branch_not_found', `The repository has no branch "${baseBranch}" to begin from.`)
  }
  const branch = branchName(holder.runId, facts.title ?? facts.prompt)
  await recordBranch(app.pool, { holder, branch, baseBranch, baseCommit })
  return { branch, baseBranch, baseCommit }
}

type CheckOut = {
  branch: string
  baseBranch: string
  baseCommit: string | null
  startCommit: string | null
  signal: AbortSignal
}

async function checkOut(
  sandbox: Sandbox,
  { branch, baseBranch, baseCommit, startCommit, signal }: CheckOut,
): Promise<void> {
  const result = await sandbox.exec({
    shell: `set -e
git init -q -b "$BRANCH" .
echo "$OBJECTS" > .git/objects/info/alternates
mkdir -p .git/info
echo '/.runwright/' >> .git/info/exclude
if [ -n "$BASE_COMMIT" ]; then git update-ref "refs/remotes/origin/$BASE_BRANCH" "$BASE_COMMIT"; fi
if [ -n "$START_COMMIT" ]; then git update-ref "refs/heads/$BRANCH" "$START_COMMIT"; git -c core.hooksPath=/dev/null reset -q --hard; fi`,
    env: {
      BRANCH: branch,
      OBJECTS: sandbox.paths.mounts[mountName] ?? '',
      BASE_BRANCH: baseBranch,
      BASE_COMMIT: baseCommit ?? '',
      START_COMMIT: startCommit ?? '',
    },
    timeoutMs: cloneMs,
    signal,
  }).result
  signal.throwIfAborted()
  if (result.exitCode === 0) return
  if (result.reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while the code was checked out.', { retryable: true })
  throw new RunFailure(
    'checkout_failed',
    `The code could not be checked out: ${result.output.toString().trim().slice(-1_000) || result.reason}`,
  )
}
