import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Mirror } from '#adapters/codehosts/git-store.ts'
import type { App } from '#app/app.ts'
import { problemText, type CheckCommand, type Environment } from '#domain/repos/environment.ts'
import { findAnsweredCommit } from '#domain/repos/environments/find-answered-commit.ts'
import { findEnvironment } from '#domain/repos/environments/find-environment.ts'
import { findAcceptedTest } from '#domain/runs/setup-commands/find-accepted-test.ts'
import { recordEnvironment } from '#domain/runs/runs/record-environment.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

export type FindRunEnvironment = {
  holder: Holder
  repoId: number
  ref: RepoRef
  mirror: Mirror
  work: { baseBranch: string; baseCommit: string | null }
}

export type RunEnvironment = {
  repo: Repo
  environment: Environment
  /** What tells whether the run's work is good. */
  checks: readonly CheckCommand[]
  commit: string | null
}

/**
 * Finds the settings of a run's repository and records them before the run's sandbox starts. An invalid `.runwright.yml` fails the
 * run here, where it has cost nothing: the file says what agents may push, which must not be guessed. Throws `RunFailure`.
 */
export async function findRunEnvironment(
  app: Pick<App, 'blobs' | 'hosts' | 'mask' | 'notifier' | 'pool'>,
  options: FindRunEnvironment,
): Promise<RunEnvironment> {
  const { holder, repoId, ref, mirror, work } = options
  const repo = await getRepo(app.pool, { organizationId: holder.organizationId, repoId })
  const commit = await findAnsweredCommit(app.pool, { repo, branches: mirror.branches, ...work })
  const git = app.hosts.git(ref)
  const store = { readFile: (_: unknown, file: Parameters<typeof git.readFile>[1]) => git.readFile(ref, file) }
  const environment = await findEnvironment({ repo, store, commit })
  if (environment.problems.length) {
    const problems = environment.problems.map(problemText).join('\n')
    throw new RunFailure('setup_failed', `The .runwright.yml of the repository is invalid:\n${problems}`)
  }
  await recordEnvironment(app.pool, { holder, commit, environment })
  if (environment.hookProblems.length) {
    const problems = environment.hookProblems.map(problemText).join('\n')
    const observation = `The hooks of the repository are left out in this turn:\n${problems}`
    await durableNote(app, { holder, key: `t${holder.turn}/hooks`, entries: [{ messageType: 'ERROR', observation }] })
  }
  return { repo, environment, checks: await findChecks(app.pool, repo, environment), commit }
}

/** The repository's own; without any, the test command that people have accepted with its setup commands. */
async function findChecks(db: App['pool'], repo: Repo, { checks }: Environment): Promise<readonly CheckCommand[]> {
  if (checks.length) return checks
  const command = await findAcceptedTest(db, { organizationId: repo.organizationId, repoId: repo.id })
  return command === null ? [] : [{ name: 'test', command }]
}
