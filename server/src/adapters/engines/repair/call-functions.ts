import type { ExecRequest, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Call } from './find-calls.ts'
import { languages } from './languages.ts'
import { runCommand, toolFolder } from './run-command.ts'
import type { Suite } from './suite.ts'

const CALLS_MS = 5_000
const OUTPUT_BYTES = 1024 * 1024

/** What each call gives; null where it tells nothing. */
export type Behavior = (string | null)[]

type CallFunctions = { file: string; text: string; calls: Call[]; signal: AbortSignal }

/** What functions of a file give with `text` in its place, call by call; null for what throws, or comes after a hang. */
export async function callFunctions(
  sandbox: Sandbox,
  suite: Suite,
  { file, text, calls, signal }: CallFunctions,
): Promise<Behavior> {
  const compare = languages[suite.language].compare
  if (!compare) return calls.map(() => null)
  const tools = toolFolder(sandbox)
  const { workspace, nodeFolder } = sandbox.paths
  const job = {
    file: `${workspace}/${file}`,
    workspace,
    source: text,
    calls,
  }
  const jobFile = `${tools}/compare.json`
  await sandbox.writeFile(jobFile, Buffer.from(JSON.stringify(job)))
  const request: ExecRequest = {
    argv: [...compare({ tools, nodeFolder, python: suite.python }), jobFile],
    timeoutMs: CALLS_MS,
    outputBytesMax: OUTPUT_BYTES,
  }
  const result = await runCommand(sandbox, request, signal)
  const lines = result.stdout.toString('utf8').split('\n')
  return calls.map((_, at) => readLine(lines[at] ?? ''))
}

function readLine(line: string): string | null {
  try {
    const result: unknown = JSON.parse(line)
    return typeof result === 'string' ? result : null
  } catch {
    return null
  }
}
