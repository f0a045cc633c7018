import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run } from '#domain/runs/run.ts'

export type GenerateSetupCommands = {
  organizationId: number
  userId: number
  repoId: number
  /** What a person says about it. */
  prompt: string | null
  /** What has asked for it, in the caller's words. */
  triggerSource: string | null
  traceparent?: string | null
}

/**
 * Starts a run that looks for a repository's setup commands; where one is looking already, that is the answer. Throws
 * `conflict` where a person says what that one was not told, and else as `createRun` does.
 */
export async function generateSetupCommands(db: Db, request: GenerateSetupCommands): Promise<Run> {
  const { organizationId, userId, repoId, prompt, triggerSource } = request
  return inTransaction(db, async (tx) => {
    // Whoever asks at the same moment waits here, and then finds the run.
    await tx.query('select from repos where organization_id = $1 and id = $2 for no key update', [
      organizationId,
      repoId,
    ])
    const { name, defaultBranch } = await getRepo(tx, { organizationId, repoId })
    const looking = await findLooking(tx, { organizationId, repoId })
    if (looking) {
      if (prompt === null || prompt === looking.prompt) return looking
      const message = `Run ${looking.id} is looking for them already. Tell it, or ask again when it has ended.`
      throw new AppError('conflict', { message })
    }
    return createRun(tx, {
      organizationId,
      userId,
      repoId,
      sourceType: 'SETUP_COMMANDS',
      agentType: 'setup',
      prompt: prompt ?? `Find the commands that set up ${name}, and one that tests it.`,
      title: `Setup commands of ${name}`,
      metadata: { has_prompt: prompt !== null, ...(triggerSource !== null && { trigger_source: triggerSource }) },
      baseBranch: defaultBranch,
      createPullRequest: false,
      outputSchema: setupSchema,
      task: { kind: 'find_setup' },
      traceparent: request.traceparent ?? null,
    })
  })
}

async function findLooking(tx: Db, { organizationId, repoId }: { organizationId: number; repoId: number }) {
  const found = await maybeOne<{ runId: number }>(
    tx,
    `select r.id as "runId" from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where r.organization_id = $1 and r.repo_id = $2 and r.task->>'kind' = 'find_setup'
       and h.status not in ('completed', 'failed', 'cancelled') order by r.id desc limit 1`,
    [organizationId, repoId],
  )
  return found && getRun(tx, { organizationId, runId: found.runId })
}

/** What such a run answers, as data. */
const setupSchema = {
  type: 'object',
  required: ['install', 'test', 'notes'],
  properties: {
    install: { type: 'array', items: { type: 'string' } },
    test: { type: ['string', 'null'] },
    notes: { type: 'string' },
  },
}
