import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Service } from './service.ts'

const main = path.resolve(import.meta.dirname, '../../cli/src/main.ts')

export type RunCommandLine = {
  organizationId?: number
  /** On its standard input. */
  input?: string
}

/** The command line as the service's first user runs it, until it has ended. `said`: on both of its outputs. */
export function runCommandLine(
  { url, token }: Pick<Service, 'url' | 'token'>,
  words: string[],
  { organizationId = 1, input = '' }: RunCommandLine = {},
): { status: number | null; said: string } {
  const settings = { RUNWRIGHT_URL: url, RUNWRIGHT_TOKEN: token, RUNWRIGHT_ORGANIZATION: String(organizationId) }
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    env: { PATH, NODE_COMPILE_CACHE, ...settings },
    input,
    encoding: 'utf8',
  })
  return { status, said: `${stdout}${stderr}` }
}
