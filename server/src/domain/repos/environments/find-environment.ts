import { noHooks } from '#base/hooks.ts'
import { setupLimits } from '#base/setup-limits.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { environmentPath, type Environment, type EnvironmentFile, type Problem } from '#domain/repos/environment.ts'
import { readRunwrightYml } from './read-runwright-yml.ts'

/** Where files of commits are, as a code host has them. */
export type FileStore = {
  readFile(
    repo: { organizationId: number; path: string },
    file: { path: string; commit: string; bytesMax: number },
  ): Promise<Buffer | null>
}

export type FindEnvironment = {
  repo: Repo
  store: FileStore
  /** Of the branch that people answer for; null where there is no commit yet. */
  commit: string | null
}

/**
 * As the repository is configured, and as `.runwright.yml` in the commit says: what the file names takes the place of the
 * setting. Rejects with what the store rejects with, but for a file that is too large: that is a problem of the file.
 */
export async function findEnvironment({ repo, store, commit }: FindEnvironment): Promise<Environment> {
  const { file, problems, hookProblems = [] } = await readFile({ repo, store, commit })
  return {
    setupCommands: file.setupCommands ?? (repo.setupCommands?.trim() ? [repo.setupCommands] : []),
    checks: file.checks ?? repo.checkCommands,
    egress: file.egress ?? { allow: [], presets: [] },
    push: file.push ?? null,
    hooks: file.hooks ?? noHooks,
    hookProblems,
    problems,
  }
}

async function readFile({
  repo,
  store,
  commit,
}: FindEnvironment): Promise<{ file: EnvironmentFile; problems: Problem[]; hookProblems?: Problem[] }> {
  if (commit === null) return { file: {}, problems: [] }
  const bytesMax = setupLimits.fileBytesMax
  try {
    const { organizationId, path } = repo
    const bytes = await store.readFile({ organizationId, path }, { path: environmentPath, commit, bytesMax })
    return bytes ? readRunwrightYml(bytes) : { file: {}, problems: [] }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'invalid') throw error
    return { file: {}, problems: [{ line: 1, message: `the file is larger than ${bytesMax} bytes` }] }
  }
}
