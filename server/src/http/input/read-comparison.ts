import { HostError } from '#adapters/codehosts/code-host.ts'
import { AppError } from '#base/errors.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { comparisonOf, type Pull } from '#domain/hosts/pulls/pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { askComparison } from './ask-comparison.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'

type Compared = { pull: Pull; repo: Repo; compare: { base: string; head: string } }

/** What is read of the difference that a pull request makes. Throws `pull_not_found`, `branch_not_found`. */
export async function readComparison<Read>(
  db: HttpDb,
  ids: { organizationId: number; pullId: number },
  read: (compared: Compared) => Promise<Read>,
): Promise<Read> {
  const pull = await getPull(db, ids)
  const repo = await getRepo(db, pull)
  try {
    return await askComparison(() => read({ pull, repo, compare: comparisonOf(pull) }))
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'not_found') throw error
    throw new AppError('branch_not_found', { message: error.message, cause: error })
  }
}

/** Masks what a pull request changes: what its run was given, or the secrets of the service alone where no run opened it. */
export async function maskPull(
  app: Pick<HttpApp, 'redactors'>,
  { organizationId, runId }: Pull,
  text: string,
): Promise<string> {
  const redactor = runId === null ? app.redactors.own : await app.redactors.read({ organizationId, runId })
  return redactor.mask(text)
}
