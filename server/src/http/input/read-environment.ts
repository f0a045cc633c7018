import type { Environment } from '#domain/repos/environment.ts'
import { findAnsweredCommit } from '#domain/repos/environments/find-answered-commit.ts'
import { findEnvironment } from '#domain/repos/environments/find-environment.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { askMirror } from './ask-mirror.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'

export type WantedEnvironment = { organizationId: number; repoId: number; baseBranch: string | null }

/** How a run on a base branch would be worked at now, and by which commit that goes. */
export type FoundEnvironment = Environment & {
  commit: string | null
  baseCommit: string | null
  setupRequired: boolean
}

/** Throws `repo_not_found`, and what the code host does where it cannot be asked. */
export async function readEnvironment(
  app: Pick<HttpApp, 'hosts'>,
  db: HttpDb,
  { organizationId, repoId, baseBranch: named }: WantedEnvironment,
): Promise<FoundEnvironment> {
  const repo = await getRepo(db, { organizationId, repoId })
  const { branches } = await askMirror(app, { organizationId, path: repo.path })
  const baseBranch = named ?? repo.defaultBranch
  const baseCommit = branches.get(baseBranch) ?? null
  const commit = await findAnsweredCommit(db, { repo, branches, baseBranch, baseCommit })
  const environment = await findEnvironment({ repo, store: app.hosts.git(repo), commit })
  return { ...environment, commit, baseCommit, setupRequired: repo.setupRequired }
}
