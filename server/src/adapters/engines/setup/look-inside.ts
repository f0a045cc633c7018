import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import { readText, runCommand } from '#adapters/engines/repair/run-command.ts'
import { generateSeal } from '#base/text/mark-foreign.ts'
import { probeLimits, type Findings } from '#adapters/engines/setup/probe/findings.ts'
import { soughtTools } from '#adapters/engines/setup/probe/plan-setup.ts'
import { probeSetup } from '#adapters/engines/setup/probe/probe-setup.ts'

/** What there is before anything is tried. */
export type Look = {
  findings: Findings
  /** Programs that setups use and that are there. */
  available: string[]
  /** Null: the repository is empty. */
  commit: string | null
  /** What lies in the home at first. */
  home: string[]
  /** For the marks around what a model is shown of it. */
  seal: string
}

const lookMs = 60_000
const listBytesMax = 8 * 1024 * 1024
const shownCharactersMax = 6_000

/** Reads what the repository says of its setup, as a step. */
export async function lookInside(turn: Turn): Promise<Look> {
  const intent = { key: `t${turn.number}/setup/look`, kind: 'tool' as const, request: { tool: 'read_setup' } }
  return turn.step<Look>(intent, async (signal) => {
    const look = await read(turn, signal)
    const { findings } = look
    return {
      response: look,
      entries: [
        {
          messageType: 'ACTION',
          thought:
            'What the repository declares comes first, then what its CI does, then what follows from its lock files.',
          toolName: 'read_setup',
          toolInput: { commit: look.commit },
          toolOutput: { groups: findings.groups.length, lockfiles: findings.lockfiles, available: look.available },
          observation: describeFindings(findings).slice(0, shownCharactersMax),
        },
      ],
    }
  })
}

async function read({ sandbox }: Turn, signal: AbortSignal): Promise<Look> {
  const say = async (argv: string[]) => {
    const request = { argv, timeoutMs: lookMs, outputBytesMax: listBytesMax }
    const { exitCode, stdout, stderr } = await runCommand(sandbox, request, signal)
    if (exitCode === 0) return stdout.toString('utf8')
    throw new EngineError('engine_error', `The work tree cannot be read: ${stderr.toString('utf8').slice(-500)}`)
  }
  const paths = (await say(['git', 'ls-files', '-z'])).split('\0').filter(Boolean)
  const commit = (await say(['bash', '-c', 'git rev-parse -q --verify HEAD || true'])).trim()
  const home = await say(['bash', '-c', 'ls -A1 "$HOME"'])
  const tools = await say([
    'bash',
    '-c',
    'for one; do command -v "$one" >/dev/null && echo "$one"; done; true',
    'bash',
    ...soughtTools,
  ])
  const findings = await probeSetup({
    paths,
    read: (path) => readText(sandbox, `${sandbox.paths.workspace}/${path}`, probeLimits.fileBytesMax),
  })
  const lines = (text: string) => text.split('\n').filter(Boolean)
  return { findings, available: lines(tools), commit: commit || null, home: lines(home), seal: generateSeal() }
}

/** For people, and for a model. */
export function describeFindings({ groups, tools, notes }: Findings): string {
  const found = groups.flatMap(({ name, commands }) => [
    `${name}:`,
    ...commands.map(
      ({ kind, command, why }) => `  ${kind}: ${command}${why.line ? `  (${why.path}:${why.line})` : ''}`,
    ),
  ])
  const toolLines = tools.map(
    ({ name, version, why }) => `${name} ${version} (${why.path}${why.line ? `:${why.line}` : ''})`,
  )
  const asked = toolLines.length ? [`Asked for: ${toolLines.join(', ')}`] : []
  return [...(found.length ? found : ['Nothing is said of the setup.']), ...asked, ...notes].join('\n')
}
