import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentSpec } from './agents/agent-spec.ts'

/** Packages in words: `@openai/codex 0.171.0`. */
export const packagesText = (packages: Readonly<Record<string, string>>): string =>
  Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')

/** What is installed of an agent, in words; null: nothing that can be used. Looked at each time: it changes while the service runs. */
export function findInstalled(folder: string, { entry }: Pick<AgentSpec, 'entry'>): string | null {
  if (!existsSync(path.join(folder, 'node_modules', entry))) return null
  try {
    const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    return packagesText(dependencies)
  } catch {
    // Somebody has put it there by other means.
    return 'an unknown version'
  }
}
