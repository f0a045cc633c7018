import type { Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/get-repo.ts'
import { createRun } from '#domain/runs/create-run.ts'
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

/** Starts a run that looks for a repository's setup commands. Throws as `createRun` does. */
export async function generateSetupCommands(db: Db, wanted: GenerateSetupCommands): Promise<Run> {
  const { organizationId, userId, repoId, prompt, triggerSource } = wanted
  const { name, defaultBranch } = await getRepo(db, { organizationId, repoId })
  const title = `Setup commands of ${name}`
  return createRun(db, {
    organizationId,
    userId,
    repoId,
    sourceType: 'SETUP_COMMANDS',
    agentType: 'setup',
    prompt: prompt ?? `Find the commands that set up ${name}, and one that tests it.`,
    title,
    metadata: { has_prompt: prompt !== null, ...(triggerSource !== null && { trigger_source: triggerSource }) },
    baseBranch: defaultBranch,
    createPullRequest: false,
    outputSchema: setupSchema,
    task: { kind: 'find_setup' },
    traceparent: wanted.traceparent ?? null,
  })
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
