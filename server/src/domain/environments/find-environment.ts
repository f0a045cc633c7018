import type { Repo } from '#domain/repos/repo.ts'
import type { Environment } from './environment.ts'

/** As the organization has configured it. */
export async function findEnvironment({ repo }: { repo: Repo }): Promise<Environment> {
  return { setupCommands: repo.setupCommands, checks: repo.checkCommands }
}
