import type { ExecRequest, ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { EngineError } from '#adapters/engines/engine.ts'

/** Runs one command to its end. Throws the signal's reason when the turn ends meanwhile. */
export async function runCommand(sandbox: Sandbox, request: ExecRequest, signal: AbortSignal): Promise<ExecResult> {
  signal.throwIfAborted()
  const result = await sandbox.exec({ ...request, signal }).result
  signal.throwIfAborted()
  if (result.reason === 'sandbox_lost') throw new EngineError('sandbox_lost', 'The sandbox ended.', { retryable: true })
  return result
}

export async function readText(sandbox: Sandbox, path: string, bytesMax?: number): Promise<string | null> {
  try {
    return (await sandbox.readFile(path, bytesMax === undefined ? {} : { bytesMax })).toString('utf8')
  } catch {
    return null
  }
}

export function inWorkspace(sandbox: Sandbox, file: string): string {
  return file ? `${sandbox.paths.workspace}/${file}` : sandbox.paths.workspace
}

/** A line of a shell after which the programs of the project's packages are found, and the same Node as the bench's: both must say the same, and the system's may be too old to load TypeScript. */
export function exportPath({ paths: { workspace, nodeFolder } }: Sandbox): string {
  return `export PATH="$PWD/node_modules/.bin:${workspace}/node_modules/.bin:${nodeFolder}:$PATH"`
}

/** Where our own programs and their files lie inside: never in the workspace. */
export function toolFolder(sandbox: Sandbox): string {
  return `${sandbox.paths.temporary}/runwright-repair`
}
