import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Entry } from '#base/entry.ts'
import { setupLimits } from '#base/setup-limits.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import { SetupFailed, type SetupOutcome } from '#worker/failures/setup-failed.ts'

export type RunSetup = {
  sandbox: Sandbox
  commands: readonly string[]
  /** What each has in its environment. */
  secrets: readonly { name: string; value: string }[]
  redactor: Redactor
  signal: AbortSignal
}

/**
 * Runs the commands in a work tree, one after the other, and puts files that the repository tracks back to how they were:
 * what setup does to them is nobody's work. What it leaves besides is kept from being taken for work, too.
 */
export async function runSetup(options: RunSetup): Promise<SetupOutcome[]> {
  const { sandbox, commands, secrets, redactor, signal } = options
  const deadline = performance.now() + setupLimits.commandsMs
  const outcomes: SetupOutcome[] = []
  const run = async (shell: string, env: Record<string, string> = {}) => {
    const timeoutMs = Math.max(1_000, deadline - performance.now())
    const openFilter = () => redactor.openStream()
    const outputBytesMax = setupLimits.outputBytesMax
    const result = await sandbox.exec({ shell, env, timeoutMs, openFilter, outputBytesMax, signal }).result
    signal.throwIfAborted()
    if (result.reason === 'sandbox_lost')
      throw new EngineError('sandbox_lost', 'The sandbox ended while the work tree was prepared.', { retryable: true })
    return result
  }
  await run(notingChanges)
  const env = Object.fromEntries(secrets.map(({ name, value }) => [name, value]))
  for (const command of commands) {
    const { exitCode, reason, output, durationMs } = await run(`set -e -o pipefail\n${command}`, env)
    const tail = cutLines(output.toString())
    outcomes.push({ command, exitCode, output: tail, durationMs })
    if (exitCode !== 0) {
      const end = reason === 'exited' ? `ended with exit code ${exitCode}` : endings[reason as keyof typeof endings]
      throw new SetupFailed(`The setup command "${cutMiddle(command)}" ${end}.\n${tail}`.trim(), outcomes)
    }
  }
  const settled = await run(puttingBack)
  if (settled.exitCode !== 0)
    throw new SetupFailed(
      `The setup has left no work tree that git knows: ${settled.output.toString().slice(-500)}`,
      outcomes,
    )
  return outcomes
}

/** One entry for each command, as people read it. */
export function setupEntries(outcomes: readonly SetupOutcome[]): Entry[] {
  return outcomes.map(({ command, exitCode, output, durationMs }) => ({
    messageType: 'ACTION',
    toolName: 'setup',
    toolInput: { command },
    toolOutput: { exit_code: exitCode, output },
    observation: exitCode === 0 ? 'Done.' : `Exit code ${exitCode ?? 'none'}.`,
    durationMs,
  }))
}

const endings = {
  timeout: 'took too long',
  killed: 'was killed',
  out_of_memory: 'needed more memory than there is',
} as const

const linesMax = 50
const cutLines = (output: string) =>
  output.trimEnd().split('\n').slice(-linesMax).join('\n').slice(-setupLimits.tailCharacters)
const cutMiddle = (command: string) => (command.length > 200 ? `${command.slice(0, 200)}…` : command.trim())

const git = 'git -c core.fsmonitor=false -c core.hooksPath=/dev/null'
/** Where it is noted, in the agent's home, beside what else is ours there. */
const own = '"$HOME/.runwright"'

const notingChanges = `mkdir -p ${own}; ${git} diff --name-only -z | sort -z > ${own}/changed-before`

/** What is left besides becomes patterns of git, in which each sign that means something is escaped. */
const puttingBack = `set -e -o pipefail
${git} diff --name-only -z | sort -z | comm -z -13 ${own}/changed-before - > ${own}/changed-by-setup
if [ -s ${own}/changed-by-setup ]; then
  ${git} checkout -q --pathspec-from-file=${own}/changed-by-setup --pathspec-file-nul
fi
rm ${own}/changed-before ${own}/changed-by-setup
${git} ls-files -z --others --exclude-standard --directory | tr '\\0' '\\n' | sed 's/[][\\*?!# ]/\\\\&/g; s,^,/,' >> ${own}/excluded`
