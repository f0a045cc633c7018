import { z } from 'zod'
import { EngineError } from '#adapters/engines/engine.ts'
import { cleanOutput } from './clean-output.ts'
import type { Session } from './open-sessions.ts'
import { resolvePath } from './resolve-path.ts'
import { secondsOf } from './seconds-of.ts'
import { COMMAND_CHARACTERS_MAX, ENVIRONMENT, inOneStream, requireSecrets, shortenOutput } from './shell.ts'
import { defineTool, ToolFailure, type ToolContext } from './tool.ts'

/** That run at the same time. */
const SESSIONS_MAX = 8
const INPUT_CHARACTERS_MAX = 64_000
/** After its newest output a command counts as quiet. */
const QUIET_MS = 700
const WAIT_SECONDS = 10

export const sessionTool = defineTool({
  name: 'session',
  description:
    'Start a command that runs on between calls (a server, a watcher, a REPL, a test suite of many minutes), or deal with one that runs. ' +
    'To start: command. Then, with the name of the session from the result: input to write to it, stop to end it, neither to read what it ' +
    'printed since. Each answers once it has printed and is quiet, once it ends, or after wait_seconds. All sessions end with the turn.',
  schema: z.strictObject({
    command: z.string().min(1).max(COMMAND_CHARACTERS_MAX).optional().describe('Starts a session: what bash -c runs'),
    terminal: z.boolean().optional().describe('With command: give it a terminal, for programs that want one'),
    cwd: z.string().optional().describe('With command: folder to run in, relative to the workspace'),
    secrets: z.array(z.string()).max(20).optional().describe('With command: names of secrets for its environment'),
    session: z.string().optional().describe('A session that was started before'),
    input: z
      .string()
      .max(INPUT_CHARACTERS_MAX)
      .optional()
      .describe(String.raw`Written as it is; end a line with \n`),
    stop: z.boolean().optional(),
    wait_seconds: z.number().min(0).max(600).optional().describe(`${WAIT_SECONDS} when not given`),
    until_end: z.boolean().optional().describe('Wait for its end alone, however quiet or loud it is'),
  }),
  isReadOnly: false,
  isFromOutside: true,
  async run(input, context) {
    const { command, session: named, stop = false } = input
    if ((command === undefined) === (named === undefined))
      throw new ToolFailure('Give either command, to start a session, or session, the name of one that runs.')
    const id = named ?? context.callName
    if (command !== undefined) start(id, command, input, context)
    const session = context.sessions.all.get(id)
    if (!session) throw new ToolFailure(explainMissing(id, context))
    if (input.input !== undefined) {
      if (session.result()) throw new ToolFailure(`Session ${id} has ended: start it again to write to it.`)
      session.write(input.input)
    }
    if (stop) await session.stop()
    const waitMs = (input.wait_seconds ?? WAIT_SECONDS) * 1000
    const begunAt = performance.now()
    await session.wait({ waitMs, quietMs: input.until_end ? null : QUIET_MS, signal: context.signal })
    context.signal.throwIfAborted()
    const waitedSeconds = secondsOf(performance.now() - begunAt)
    return describe(id, session, { wasStopped: stop, waitedSeconds, context })
  },
})

type Start = { terminal?: boolean | undefined; cwd?: string | undefined; secrets?: string[] | undefined }

function start(id: string, command: string, { terminal, cwd, secrets = [] }: Start, context: ToolContext): void {
  const { sandbox, signal, sessions } = context
  requireSecrets(secrets, context)
  const running = [...sessions.all].filter(([, session]) => !session.result())
  if (running.length >= SESSIONS_MAX) {
    const names = running.map(([name]) => name).join(', ')
    throw new ToolFailure(`${SESSIONS_MAX} sessions run already (${names}): stop one of them first.`)
  }
  sessions.start(id, sandbox, {
    command,
    // `script` belongs to util-linux, which every Debian has. With -e it ends as the command does.
    argv: terminal ? ['script', '-qefc', command, '/dev/null'] : inOneStream(command),
    cwd: cwd === undefined ? sandbox.paths.workspace : resolvePath(sandbox.paths, cwd).absolute,
    env: { ...ENVIRONMENT, ...(terminal && { SHELL: '/bin/bash' }) },
    secrets,
    signal,
  })
}

type Described = { wasStopped: boolean; waitedSeconds: number; context: ToolContext }

async function describe(id: string, session: Session, how: Described) {
  const { context, wasStopped, waitedSeconds } = how
  const result = session.result()
  if (result?.reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended in the middle of the work.', { retryable: true })
  const { text, droppedBytes } = session.take()
  const printed = cleanOutput(text)
  const { output, artifact } = await shortenOutput(printed, context)
  const seconds = secondsOf(result?.durationMs ?? performance.now() - session.startedAt)
  const dropped = droppedBytes > 0 ? `[${droppedBytes} older bytes were dropped unread]\n` : ''
  const state = stateOf(session, { seconds, wasStopped })
  return {
    text: `${dropped}${output}${output && !output.endsWith('\n') ? '\n' : ''}[session ${id} ${state}, step ${context.callName}]`,
    output: {
      session: id,
      command: session.command,
      output,
      running: result === null,
      seconds,
      waited_seconds: waitedSeconds,
      ...(result && !wasStopped && { exit_code: result.exitCode }),
      ...(droppedBytes > 0 && { dropped_bytes: droppedBytes }),
      ...(artifact === null ? {} : { artifact }),
    },
    ...(output === printed ? {} : { printed }),
  }
}

function stateOf(session: Session, { seconds, wasStopped }: { seconds: number; wasStopped: boolean }): string {
  const result = session.result()
  if (result === null) return `is running for ${seconds} s`
  if (session.hasFlooded()) return `was killed after ${seconds} s: it printed too much; send its output to a file`
  if (result.reason === 'timeout') return `was killed after ${seconds} s: time limit of the sandbox`
  if (result.reason === 'out_of_memory') return `was killed after ${seconds} s: out of memory`
  if (wasStopped) return `was stopped after ${seconds} s`
  return result.exitCode === null
    ? `was killed by a signal after ${seconds} s`
    : `ended: exit ${result.exitCode}, ${seconds} s`
}

function explainMissing(id: string, { sessions }: ToolContext): string {
  const names = [...sessions.all.keys()].join(', ')
  return `There is no session ${id}. ${names ? `There are: ${names}.` : 'None was started in this turn on this worker.'} Sessions end with their turn and with their worker; start it again with command.`
}
