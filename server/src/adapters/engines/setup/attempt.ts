import { EngineError, type Entry, type Turn } from '#adapters/engines/engine.ts'
import { cleanOutput } from '#adapters/engines/builtin/tools/clean-output.ts'
import { runCommand } from '#adapters/engines/repair/run-command.ts'
import type { SetupPlan } from '#adapters/engines/setup/probe/plan-setup.ts'
import type { Look } from './look-inside.ts'

/** What one command did. */
export type Tried = { command: string; exit_code: number | null; duration_ms: number; tail: string }

export type Attempt = {
  plan: SetupPlan
  install: Tried[]
  isInstalled: boolean
  /** Each but the last has failed. */
  tests: Tried[]
}

const installMs = 15 * 60_000
const testMs = 10 * 60_000
const cleanMs = 2 * 60_000
const outputBytesMax = 256 * 1024
const tailCharactersMax = 2_000

/** The work tree as its commit has it, and the home as it was; some managers of packages write what cannot be written to. */
const CLEAN = `set -e
chmod -R u+w . 2>/dev/null || true
git -c core.hooksPath=/dev/null reset -q --hard $COMMIT
git clean -xffdq -e /.runwright/
cd "$HOME"
shopt -s dotglob nullglob
for one in *; do
  kept=
  for name; do if [ "$one" = "$name" ]; then kept=1; fi; done
  [ "$kept" ] || { chmod -R u+w -- "$one" 2>/dev/null || true; rm -rf -- "$one"; }
done`

/** As setup commands are run at the start of a run. */
const strict = 'set -e -o pipefail\n'

type TryPlan = { plan: SetupPlan; look: Look; key: string }

/**
 * Runs a plan from a clean work tree: its installation, then one test after the other until one passes. One step, since
 * half of it is worth nothing to whoever takes over: it then begins anew.
 */
export async function tryPlan(turn: Turn, { plan, look, key }: TryPlan): Promise<Attempt> {
  const request = { tool: 'try_setup', install: plan.install, tests: plan.tests }
  const intent = { key: `t${turn.number}/setup/try/${key}`, kind: 'tool' as const, request }
  const { install, isInstalled, tests } = await turn.step<Omit<Attempt, 'plan'>>(intent, async (signal) => {
    await clean(turn, look, signal)
    const attempt: Omit<Attempt, 'plan'> = { install: [], isInstalled: true, tests: [] }
    for (const command of plan.install) {
      if (!attempt.isInstalled) break
      attempt.install.push(await tryCommand(turn, { command, timeoutMs: installMs, signal }))
      attempt.isInstalled = attempt.install.at(-1)!.exit_code === 0
    }
    for (const command of attempt.isInstalled ? plan.tests : []) {
      attempt.tests.push(await tryCommand(turn, { command, timeoutMs: testMs, signal }))
      if (attempt.tests.at(-1)!.exit_code === 0) break
    }
    return { response: attempt, entries: entriesOf(plan, attempt) }
  })
  return { plan, install, isInstalled, tests }
}

async function clean({ sandbox }: Turn, { commit, home }: Look, signal: AbortSignal): Promise<void> {
  const request = { argv: ['bash', '-c', CLEAN, 'bash', ...home], env: { COMMIT: commit ?? '' }, timeoutMs: cleanMs }
  const { exitCode, output } = await runCommand(sandbox, request, signal)
  if (exitCode === 0) return
  throw new EngineError('engine_error', `The work tree could not be made clean: ${output.toString().slice(-1_000)}`)
}

type TryCommand = { command: string; timeoutMs: number; signal: AbortSignal }

async function tryCommand({ sandbox }: Turn, { command, timeoutMs, signal }: TryCommand): Promise<Tried> {
  const ran = await runCommand(sandbox, { shell: `${strict}${command}`, timeoutMs, outputBytesMax }, signal)
  const tail = cleanOutput(ran.output.toString('utf8')).trimEnd().slice(-tailCharactersMax)
  const ended = ran.reason === 'timeout' ? `\n(ended after ${timeoutMs / 60_000} minutes)` : ''
  return { command, exit_code: ran.exitCode, duration_ms: Math.round(ran.durationMs), tail: tail + ended }
}

function entriesOf(plan: SetupPlan, { install, tests }: Omit<Attempt, 'plan'>): Entry[] {
  const entry = (toolName: string, { command, exit_code, duration_ms, tail }: Tried): Entry => ({
    messageType: 'ACTION',
    toolName,
    toolInput: { command },
    toolOutput: { exit_code },
    observation: tail,
    durationMs: duration_ms,
  })
  const entries = [...install.map((one) => entry('run_setup', one)), ...tests.map((one) => entry('run_tests', one))]
  const [first, ...others] = entries
  return first ? [{ ...first, thought: `From a clean work tree, as ${plan.from} says.` }, ...others] : []
}

/** Installed and tested. */
export function isWhole({ isInstalled, tests }: Attempt): boolean {
  return isInstalled && tests.at(-1)?.exit_code === 0
}

/** Whole, or else the first that installs at least. */
export function bestOf(attempts: Attempt[]): Attempt | undefined {
  return attempts.find(isWhole) ?? attempts.find(({ isInstalled, install }) => isInstalled && install.length > 0)
}
