import { open } from 'node:fs/promises'

/** What is read of the end of a log, and how many lines of it are shown. */
const tailBytesMax = 4 * 2 ** 20
const linesMax = 500

const redLevels = new Set(['error', 'fatal'])
/** Fields of ours, none of which holds what people or agents wrote. Messages of errors may quote anything. */
const shown = ['time', 'level', 'role', 'version', 'event', 'code', 'chore', 'failures', 'runId', 'msg'] as const
const shownOfError = ['type', 'code', 'syscall', 'signal', 'table', 'constraint', 'routine'] as const

type Fields = Record<string, unknown>

/** The last lines of a log of the service that tell of errors: what they are and where, without the messages of errors. */
export async function readRedLines(file: string): Promise<string> {
  const lines = (await readTail(file)).split('\n').flatMap((line) => tell(line) ?? [])
  return lines
    .slice(-linesMax)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

async function readTail(file: string): Promise<string> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const bytes = Buffer.alloc(Math.min(size, tailBytesMax))
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, size - bytes.length)
  return bytes.subarray(0, bytesRead).toString()
}

function tell(line: string): Fields | undefined {
  const found = parse(line)
  if (!found || !redLevels.has(String(found['level']))) return undefined
  const error = found['err'] as Fields | undefined
  const { stack } = error ?? {}
  // Where nothing else is said, the logger repeats the message of the error.
  if (error && found['msg'] === error['message']) delete found['msg']
  return {
    ...pick(found, shown),
    ...(error && { err: { ...pick(error, shownOfError), at: typeof stack === 'string' ? framesOf(stack) : [] } }),
  }
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

const pick = (from: Fields, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in from && isPlain(from[name]) ? [[name, from[name]]] : [])))

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Where it was thrown: the lines of the stack that name a place in a file of ours or of a library. */
function framesOf(stack: string): string[] {
  const frames = stack
    .split('\n')
    .map((line) =>
      /((?:node_modules|server\/src)\/[\w./@-]{1,200}|node:[\w/]{1,100}):\d{1,7}:\d{1,7}\)?$/.exec(line.trim()),
    )
  return frames.flatMap((found) => (found ? [found[0].replace(/\)$/, '')] : [])).slice(0, 20)
}
