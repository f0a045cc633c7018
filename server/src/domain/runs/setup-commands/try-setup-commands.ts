import type { Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import type { Run } from '#domain/runs/run.ts'

export type TrySetupCommands = {
  organizationId: number
  userId: number
  repoId: number
  commands: string
  /** Run after them; null: nothing is. */
  testCommand: string | null
  traceparent?: string | null
}

/**
 * Starts a run that runs setup commands from a clean work tree of the default branch, and keeps nothing of them. It fails as
 * `setup_failed` where they do. Throws as `createRun` does.
 */
export async function trySetupCommands(db: Db, request: TrySetupCommands): Promise<Run> {
  const { organizationId, userId, repoId, commands, testCommand } = request
  const { name, defaultBranch } = await getRepo(db, { organizationId, repoId })
  return createRun(db, {
    organizationId,
    userId,
    repoId,
    sourceType: 'SETUP_COMMANDS',
    agentType: 'setup',
    prompt: `Try these setup commands of ${name}:\n\n${commands}${testCommand === null ? '' : `\n\nThen test with:\n\n${testCommand}`}`,
    title: `Try setup commands of ${name}`,
    metadata: { try_setup: { commands, test_command: testCommand } },
    baseBranch: defaultBranch,
    createPullRequest: false,
    task: { kind: 'try_setup' },
    traceparent: request.traceparent ?? null,
  })
}
