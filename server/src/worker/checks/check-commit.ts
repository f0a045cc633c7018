import os from 'node:os'
import type { ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import type { Entry } from '#base/entry.ts'
import { readFailure } from '#base/failure-report/read-failure.ts'
import { limits } from '#base/limits.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import type { CheckConclusion } from '#base/hosts/host-facts.ts'
import type { ClaimedCheck } from '#domain/hosts/checks/start-check.ts'
import { JobLost } from '#domain/hosts/jobs/job.ts'
import { findCheckBase } from '#domain/hosts/checks/find-check-base.ts'
import type { Environment } from '#domain/repos/environment.ts'
import { findEnvironment } from '#domain/repos/environments/find-environment.ts'
import type { OpenRedactor } from '#domain/runs/redaction/run-redactors.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { finishSandbox } from '#domain/runs/sandboxes/finish-sandbox.ts'
import type { SandboxHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { startCheckSandbox } from '#domain/hosts/checks/start-check-sandbox.ts'
import { snapshotKey } from '#domain/runs/snapshots/snapshot-key.ts'
import { orUnfitDisk, requireDisk } from '#worker/health/require-disk.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { prepareWorkTree, type Preparation } from '#worker/runs/setup/prepare-work-tree.ts'
import { runSetup, setupEntries } from '#worker/runs/setup/run-setup.ts'
import { SetupFailed } from '#worker/failures/setup-failed.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { checkOutLfs } from '#worker/runs/work-tree/check-out-lfs.ts'
import { findLfsFiles, type LfsFiles } from '#worker/runs/work-tree/find-lfs-files.ts'
import { checkOutSubmodules } from '#worker/runs/work-tree/check-out-submodules.ts'
import { findSubmodules, mountsOf, type Submodules } from '#worker/runs/work-tree/find-submodules.ts'
import { objectsMount } from '#worker/runs/work-tree/objects-in.ts'
import { describeLimit } from '#worker/failures/describe-limit.ts'
import { checkSandboxId } from './check-sandbox-id.ts'
import type { CheckLog } from './check-log.ts'
import { openCheckSandbox } from './open-check-sandbox.ts'
import { placeJudgeFiles } from './place-judge-files.ts'

export type CheckOutcome = {
  conclusion: CheckConclusion
  summary: string
  /** Of the command, where it came to one; without a code a signal or its time ended it. */
  exitCode?: number | null
  durationMs?: number
}

/** The branch of a check's work tree, which is on no host. */
const checkBranch = 'check'

export type CheckCommit = { claimed: ClaimedCheck; log: CheckLog; signal: AbortSignal; checkMs?: number }

/**
 * Runs a check's command over its commit, in a sandbox of its own, after what prepares the work tree; what it prints goes
 * into the log, masked. Rejects where that says nothing of the commit: the sandbox is lost, the machine is unfit, or the signal has stopped it.
 */
export async function checkCommit(
  app: App,
  { claimed, log, signal, checkMs = claimed.timeLimitMs ?? limits.checkMs }: CheckCommit,
): Promise<CheckOutcome> {
  const { organizationId, repoId, claimId } = claimed
  using opened = await app.redactors.openRepo({ organizationId, repoId, leaseId: claimId })
  const { redactor } = opened
  const secrets = opened.secrets.filter(({ isEverywhere }) => isEverywhere)
  try {
    const found = await findCode(app, { claimed, signal })
    return await checkIn(app, { claimed, log, checkMs, signal, secrets, redactor, ...found })
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof SetupFailed) {
      tell(log, setupEntries(error.outcomes), redactor)
      return { conclusion: 'failure', summary: redactor.mask(error.message) }
    }
    if (!(error instanceof RunFailure) || error.retryable) throw error
    return { conclusion: 'startup_failure', summary: redactor.mask(error.message) }
  }
}

type FoundCode = { repo: Repo; objectsPath: string; baseBranch: string; baseCommit: string; environment: Environment }

/** The check's commit on this machine, and how the branch that people answer for says it is worked on. */
async function findCode(
  app: Pick<App, 'hosts' | 'pool'>,
  { claimed, signal }: Pick<CheckCommit, 'claimed' | 'signal'>,
): Promise<FoundCode> {
  const repo = await getRepo(app.pool, claimed)
  const { objectsPath, branches } = await app.hosts.git(repo).mirror(repo, {
    commits: [claimed.commit, claimed.baseCommit].filter((commit) => commit !== null),
    signal,
  })
  const baseBranch = (await findCheckBase(app.pool, claimed)) ?? repo.defaultBranch
  const baseCommit = claimed.baseCommit ?? branches.get(baseBranch)
  if (baseCommit === undefined)
    throw new RunFailure('base_branch_not_found', `There is no branch ${baseBranch} any more.`)
  const environment = await findEnvironment({ repo, store: app.hosts.git(repo), commit: baseCommit })
  return { repo, objectsPath, baseBranch, baseCommit, environment }
}

type CheckIn = Required<CheckCommit> & FoundCode & { secrets: OpenRedactor['secrets']; redactor: Redactor }

async function checkIn(app: App, options: CheckIn): Promise<CheckOutcome> {
  const { claimed, environment } = options
  const { name: provider, enforcement } = app.sandboxes
  const { egress } = environment
  const holder = await startCheckSandbox(app.pool, { claimed, egress, provider, worker: os.hostname(), enforcement })
  if (!holder) throw new JobLost({ kind: 'check', ref: String(claimed.checkId) })
  try {
    return await checkAs(app, { ...options, holder })
  } finally {
    // What cannot be removed now is removed by whoever cleans up next, and changes nothing of what was found.
    await Promise.allSettled([
      app.sandboxes.remove(checkSandboxId(claimed)),
      finishSandbox(app.pool, { ...holder, reason: 'the check ended' }),
    ])
  }
}

async function checkAs(app: App, options: CheckIn & { holder: SandboxHolder }): Promise<CheckOutcome> {
  const { claimed, holder, repo, environment, baseCommit, objectsPath, secrets, redactor, signal } = options
  const { commit } = claimed
  const isPreparedAlike = await hasSameSetup(app, { repo, environment, commits: [commit, baseCommit] })
  const setup = { holder, repo, ref: repo, environment, commit: baseCommit, objectsPath, secrets, redactor, signal }
  const found = { repo, ref: repo, trusted: baseCommit, commit, paths: repo.paths, askers: [], signal }
  const submodules = await findSubmodules(app, found)
  const lfs = await findLfsFiles(app, found)
  const hasSubmodules = submodules.found.length > 0
  const kept = isPreparedAlike ? await prepareWorkTree(app, { ...setup, paths: repo.paths, hasSubmodules }) : null
  const mounts = { ...mountsOf(submodules), ...lfs.mounts, [objectsMount]: objectsPath, ...kept?.mounts }
  await using sandbox = await openCheckSandbox(app, { claimed, holder, mounts })
  try {
    const outcome = await checkInside(app, { ...options, sandbox, submodules, lfs, kept, isPreparedAlike })
    if (outcome.conclusion === 'failure') await requireDisk(app, { message: outcome.summary })
    return outcome
  } catch (error) {
    return await orUnfitDisk(app, error)
  }
}

type CheckInside = CheckIn & {
  sandbox: Sandbox
  submodules: Submodules
  lfs: LfsFiles
  kept: Preparation | null
  isPreparedAlike: boolean
}

async function checkInside(app: App, options: CheckInside): Promise<CheckOutcome> {
  const {
    claimed,
    log,
    sandbox,
    submodules,
    lfs,
    kept,
    isPreparedAlike,
    environment,
    baseBranch,
    baseCommit,
    secrets,
    redactor,
    signal,
  } = options
  const { commit } = claimed
  await checkOut(sandbox, {
    branch: checkBranch,
    baseBranch,
    baseCommit,
    commit,
    snapshot: null,
    paths: options.repo.paths,
    signal,
  })
  const checkedOut = await checkOutSubmodules(sandbox, { ...submodules, snapshot: null, signal })
  const lfsLeft = await checkOutLfs(sandbox, lfs, signal)
  for (const entry of [checkedOut, lfsLeft]) if (entry) tell(log, [entry], redactor)
  const commands = isPreparedAlike ? [] : environment.setupCommands
  const entries = kept
    ? await kept.prepare(sandbox)
    : setupEntries(commands.length > 0 ? await runSetup({ sandbox, commands, secrets, redactor, signal }) : [])
  tell(log, entries, redactor)
  await placeJudgeFiles(app, { sandbox, claimed, signal })
  return await runCommand(sandbox, options)
}

type HasSameSetup = { repo: Repo; environment: Environment; commits: [string, string] }

/** Whether what the setup leaves at one commit is what it leaves at the other: what a head installs may be its own. */
async function hasSameSetup(app: Pick<App, 'hosts'>, { repo, environment, commits }: HasSameSetup): Promise<boolean> {
  const [one, other] = await Promise.all(
    commits.map(async (commit) => {
      const files = await app.hosts.git(repo).listFiles(repo, { commit })
      return snapshotKey({ commands: environment.setupCommands, secretNames: [], machine: '', files })
    }),
  )
  return one === other
}

async function runCommand(sandbox: Sandbox, options: CheckIn): Promise<CheckOutcome> {
  const { claimed, log, checkMs, secrets, redactor, signal } = options
  const command = redactor.mask(claimed.command)
  log.writeCommand(command)
  const result = await sandbox.exec({
    shell: `set -e -o pipefail\n${claimed.command}`,
    env: Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
    timeoutMs: checkMs,
    outputBytesMax: limits.checkLogBytesMax / 2,
    openFilter: () => redactor.openStream(),
    onOutput: (_stream, piece) => log.write(piece),
    signal,
  }).result
  signal.throwIfAborted()
  return judge(sandbox, { command, checkMs, result })
}

/** Commands of the setup, or by what they were spared, as they would stand in a terminal. */
function tell(log: CheckLog, entries: readonly Entry[], { mask }: Redactor): void {
  for (const { toolInput, toolOutput, observation } of entries) {
    const { command } = (toolInput ?? {}) as { command?: string }
    const { output = '' } = (toolOutput ?? {}) as { output?: string }
    if (command === undefined) log.writeLine(typeof observation === 'string' ? mask(observation) : '')
    else {
      log.writeCommand(mask(command))
      log.write(Buffer.from(mask(output)))
    }
  }
}

type Judge = { command: string; checkMs: number; result: ExecResult }

async function judge(sandbox: Sandbox, { command, checkMs, result }: Judge): Promise<CheckOutcome> {
  const { exitCode, reason, durationMs, output } = result
  const seconds = Math.round(durationMs / 1_000)
  if (reason === 'sandbox_lost') return { conclusion: 'failure', summary: await whyLost(sandbox) }
  const ended = { exitCode: reason === 'timeout' ? null : exitCode, durationMs }
  if (reason === 'timeout')
    return { ...ended, conclusion: 'timed_out', summary: `It took longer than ${Math.round(checkMs / 1_000)} s.` }
  if (exitCode === 0) return { ...ended, conclusion: 'success', summary: `Passed in ${seconds} s.` }
  const { errors, known } = readFailure(output.toString(), { command, exitCode })
  const how = reason === 'out_of_memory' ? 'It used more memory than its limit.' : `Exit code ${exitCode ?? 'none'}.`
  const meaning = known ? ` ${known.meaning}` : ''
  return { ...ended, conclusion: 'failure', summary: [`${how}${meaning}`, ...errors.slice(0, 5)].join('\n') }
}

/** A sandbox that ended by itself went over a limit; what else ends one says nothing of the commit. */
async function whyLost(sandbox: Sandbox): Promise<string> {
  const { reason } = await sandbox.closed
  const limit = describeLimit(reason, sandbox.limits)
  if (!limit) throw new Error(`the sandbox of a check ended: ${reason}`)
  return limit.message
}
