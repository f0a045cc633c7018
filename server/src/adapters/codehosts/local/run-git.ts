import { Readable, type Writable } from 'node:stream'
import { drained } from '#base/concurrency/drained.ts'
import { runShortGit, startGit, type GitEnd, type GitRequest } from './start-git.ts'

export type RunGit = GitRequest & {
  input?: Readable | string
  /** Beyond it git is stopped, and the result is cut. */
  outputBytesMax?: number
  /** Given each piece of what git prints as it comes; then nothing is kept of it. */
  onOutput?: (chunk: Buffer) => void
}

export type GitResult = { exitCode: number; stdout: Buffer; stderr: string; isCut: boolean }

/** Why git did not do what it was asked to, where that is no complaint of git's own. */
const reasons: Partial<Record<GitEnd['reason'], string>> = {
  timeout: 'git took too long',
  too_much: 'it needs more memory or time than git is given here',
}

/** What git, or its helpers, say when they are refused memory. */
const outOfMemory = /out of memory|cannot allocate memory|unable to create thread|died of signal (?:9|24)\b/i

/** Git did not do what it was asked to. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly reason: GitEnd['reason']
  readonly stderr: string
  constructor(reason: GitEnd['reason'], stderr: string) {
    super(reasons[reason] ?? complaintOf(stderr))
    this.reason = reason
    this.stderr = stderr
  }
}

const outputBytesMaxDefault = 16 * 1024 * 1024
/** What a shell is given in words. */
const shortInputMax = 64 * 1024

/** Runs git to its end. Rejects when it was ended from outside, or with the error of the input. */
export async function runGit(request: RunGit): Promise<GitResult> {
  const { stdout, isCut, ...end } = await (shortOf(request) ?? runStreamed(request))
  request.signal?.throwIfAborted()
  if (isCut) return { exitCode: 0, stdout, stderr: end.stderr, isCut }
  if (end.exitCode === null) throw new GitError(end.reason, end.stderr)
  if (end.exitCode !== 0 && outOfMemory.test(end.stderr)) throw new GitError('too_much', end.stderr)
  return { exitCode: end.exitCode, stdout, stderr: end.stderr, isCut }
}

function shortOf(request: RunGit) {
  const { input = '', outputBytesMax = outputBytesMaxDefault, onOutput, quietMs } = request
  const isShort = typeof input === 'string' && input.length <= shortInputMax && !input.includes('\0')
  return isShort && !onOutput && !quietMs ? runShortGit({ ...request, input, outputBytesMax }) : undefined
}

async function runStreamed(request: RunGit): Promise<GitEnd & { stdout: Buffer; isCut: boolean }> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(request.signal ? [request.signal] : [])])
  const git = startGit({ ...request, signal })
  let hasEnded = false
  let inputError: unknown
  const fed = feed(request.input ?? '', git.stdin).catch((error: unknown) => {
    if (hasEnded) return
    inputError = error
    stop.abort()
  })
  const { stdout, isCut } = await collect(git.stdout, request)
  if (isCut) stop.abort()
  const end = await git.ended
  hasEnded = true
  if (request.input instanceof Readable) request.input.destroy()
  await fed
  if (inputError) throw inputError
  return { ...end, stdout, isCut }
}

/** Rejects only with an error of the input itself: git may end before it has read everything. */
async function feed(input: Readable | string, stdin: Writable): Promise<void> {
  for await (const chunk of typeof input === 'string' ? [input] : input) {
    if (stdin.destroyed) return
    if (!stdin.write(chunk)) await drained(stdin)
  }
  stdin.end()
}

async function collect(
  stdout: Readable,
  { outputBytesMax: bytesMax = outputBytesMaxDefault, onOutput }: RunGit,
): Promise<{ stdout: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (onOutput) onOutput(chunk)
      else chunks.push(chunk)
      if (bytes > bytesMax) break
    }
  } catch {
    // Ended from outside; how is told by the end of the process.
  }
  return { stdout: Buffer.concat(chunks).subarray(0, bytesMax), isCut: bytes > bytesMax }
}

/** Why git failed, in its words: of all that it said the last complaints. */
export function complaintOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() && !line.startsWith('hint:'))
  const complaints = lines.filter((line) => /^(remote: )?(fatal|error):/i.test(line)).slice(-3)
  const words = complaints.map((line) => line.replace(/^(remote: )?(fatal|error): /i, '').trim())
  return words.join('; ') || lines.at(-1)?.trim() || 'git said nothing'
}
