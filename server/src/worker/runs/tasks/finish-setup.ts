import type { App } from '#app/app.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { hashLockfiles } from '#domain/runs/setup-commands/hash-lockfiles.ts'
import { saveSetupProposal } from '#domain/runs/setup-commands/save-setup-proposal.ts'
import type { SetupEvidence } from '#domain/runs/setup-commands/setup-proposal.ts'
import { readResult } from './read-result.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import type { FinishTask } from './finisher.ts'

type Found = {
  install: string[]
  test: string | null
  notes: string
  evidence: SetupEvidence[]
  lockfiles: string[]
  base_commit: string | null
}

/** What the engine that looks for setup commands answers; it has run all of them itself. */
const foundSchema = {
  type: 'object',
  required: ['install', 'test', 'notes', 'evidence', 'lockfiles', 'base_commit'],
  properties: {
    install: { type: 'array', items: { type: 'string' } },
    test: { type: ['string', 'null'] },
    notes: { type: 'string' },
    evidence: { type: 'array', items: { type: 'object', required: ['command', 'exit_code', 'duration_ms', 'tail'] } },
    lockfiles: { type: 'array', items: { type: 'string' } },
    base_commit: { type: ['string', 'null'] },
  },
}

type FindSetup = Extract<RunTask, { kind: 'find_setup' }>

/** Keeps what was found as a proposal. */
export async function finishSetup(
  app: Pick<App, 'hosts' | 'pool'>,
  { holder, facts, answer }: FinishTask<FindSetup>,
): Promise<void> {
  const result = await readResult(answer, foundSchema)
  if (!result || !facts.repo) throw new RunFailure('engine_error', 'What was found of the setup cannot be read.')
  const found = result.value as unknown as Found
  const { organizationId } = holder
  const repo = await getRepo(app.pool, { organizationId, repoId: facts.repo.id })
  const at = { store: app.hosts.git(repo), repo: { ...repo, holder }, paths: found.lockfiles }
  await saveSetupProposal(app.pool, {
    holder,
    repoId: repo.id,
    commands: found.install,
    testCommand: found.test,
    notes: found.notes,
    evidence: found.evidence,
    baseCommit: found.base_commit,
    lockfiles: found.base_commit === null ? {} : await hashLockfiles({ ...at, commit: found.base_commit }),
  })
}
