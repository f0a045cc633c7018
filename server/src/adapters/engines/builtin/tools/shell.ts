import { z } from 'zod'
import type { ExecResult } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { cleanOutput } from './clean-output.ts'
import { cutMiddle } from './cut-middle.ts'
import { resolvePath } from './resolve-path.ts'
import { runInside } from './run-inside.ts'
import { sayRefused } from './say-refused.ts'
import { secondsOf } from './seconds-of.ts'
import { defineTool, ToolFailure, type ToolContext } from './tool.ts'

/** Of a longer output the model sees this much of each end. */
const SIDE_CHARACTERS_MAX = 8_000
/** The kernel takes arguments of up to 128 KiB; long texts are for `write`. */
export const COMMAND_CHARACTERS_MAX = 100_000
/** Hides itself from git, so that the files below never reach a commit. */
const OUTPUT_FOLDER = '.runwright'

/** Runs a command with one stream for both, so that what is said comes in the order in which it was said. */
export const inOneStream = (command: string): string[] => ['sh', '-c', 'exec bash -c "$1" 2>&1', 'sh', command]

/** On top of the sandbox's own, which has no pager and no terminal. */
export const ENVIRONMENT = { MANPAGER: 'cat', GIT_EDITOR: 'true' }

export const shellTool = defineTool({
  name: 'shell',
  description:
    'Run a command with bash in the workspace. Every call is a fresh shell: folder and variables are not kept. ' +
    'There is no terminal and no input, so no editors and no pagers. The whole process tree ends with the time limit, ' +
    'so servers and whatever takes longer than 600 s are for session. Long output is cut in the middle; the whole is kept in a file.',
  schema: z.strictObject({
    command: z.string().min(1).max(COMMAND_CHARACTERS_MAX).describe('What bash -c runs'),
    timeout_seconds: z.int().min(1).max(600).optional().describe('120 when not given'),
    cwd: z.string().optional().describe('Folder to run in, relative to the workspace'),
    secrets: z
      .array(z.string())
      .max(20)
      .optional()
      .describe('Names of secrets that the command needs, for its environment'),
  }),
  isReadOnly: false,
  isFromOutside: true,
  async run({ command, timeout_seconds, cwd, secrets = [] }, context) {
    requireSecrets(secrets, context)
    const { sandbox } = context
    const timeoutMs = timeout_seconds === undefined ? limits.commandMs : timeout_seconds * 1000
    const folder = cwd === undefined ? sandbox.paths.workspace : resolvePath(sandbox.paths, cwd).absolute
    const result = await runInside(context, {
      argv: inOneStream(command),
      cwd: folder,
      env: ENVIRONMENT,
      secrets,
      timeoutMs,
      outputBytesMax: limits.commandOutputBytesMax,
    })
    const printed = cleanOutput(result.output.toString('utf8'))
    const { output, artifact } = await shortenOutput(printed, context)
    const seconds = secondsOf(result.durationMs)
    const refused = (await context.listRefusals?.(result.durationMs)) ?? []
    return {
      text: `${output}${output && !output.endsWith('\n') ? '\n' : ''}[${outcome(result, timeoutMs, seconds)}, step ${context.callName}]${sayRefused(refused)}`,
      output: {
        output,
        exit_code: result.exitCode,
        timed_out: result.reason === 'timeout',
        seconds,
        cut_bytes: result.cutBytes,
        ...(refused.length > 0 && { refused_names: refused.map(({ name }) => name) }),
        ...(artifact === null ? {} : { artifact }),
      },
      ...(output === printed ? {} : { printed }),
    }
  },
})

export function requireSecrets(request: string[], { secrets }: ToolContext): void {
  const unknown = request.find((name) => !secrets.some((secret) => secret.name === name))
  if (unknown === undefined) return
  const names = secrets.map(({ name }) => name).join(', ')
  throw new ToolFailure(`There is no secret ${unknown}. ${names ? `There are: ${names}.` : 'There are none.'}`)
}

function outcome(result: ExecResult, timeoutMs: number, seconds: number): string {
  if (result.reason === 'timeout') return `killed: ${timeoutMs / 1000} s time limit; output so far above`
  if (result.reason === 'out_of_memory') return `killed: out of memory, ${seconds} s; use less at once`
  if (result.exitCode === null) return `killed by a signal, ${seconds} s`
  return `exit ${result.exitCode}, ${seconds} s`
}

/** The two ends of a long text; the whole of it is kept in a file of the workspace. */
export async function shortenOutput(text: string, { sandbox, callName }: ToolContext) {
  const cut = cutMiddle(text, SIDE_CHARACTERS_MAX)
  if (!cut) return { output: text, artifact: null }
  const artifact = `${OUTPUT_FOLDER}/out/${callName}.txt`
  const folder = `${sandbox.paths.workspace}/${OUTPUT_FOLDER}`
  const isKept = await Promise.all([
    sandbox.writeFile(`${folder}/.gitignore`, Buffer.from('*\n')),
    sandbox.writeFile(`${sandbox.paths.workspace}/${artifact}`, Buffer.from(text)),
  ]).then(
    () => true,
    // A full disk must not hide what the command said.
    () => false,
  )
  const where = isKept ? `whole: ${artifact}` : 'the whole could not be kept'
  const gap = `[… ${count(cut.lines)} lines, ${count(cut.characters)} characters left out; ${where} …]`
  return {
    output: `${cut.head}${cut.head.endsWith('\n') ? '' : '\n'}${gap}\n${cut.tail}`,
    artifact: isKept ? artifact : null,
  }
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
