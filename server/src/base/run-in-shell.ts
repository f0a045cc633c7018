import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { killGroup } from './kill-group.ts'
import { lowerPriority } from './lower-priority.ts'
import { quoteWord } from './quote-word.ts'

export type ShellRequest = {
  /** Commands as POSIX has them. They run in a fork of the shell, so what they set ends with them; nothing that they start may outlive them. */
  script: string
  /** What they read; nothing when not given. Without NUL. */
  input?: string
  timeoutMs: number
  /** How long they have to clean up when they are told to end. */
  graceMs: number
  signal?: AbortSignal
  /** Beyond it they are ended, and their output is cut. */
  outputBytesMax: number
  /** How many of the last characters of what they complain of are kept. */
  stderrCharactersMax: number
}

export type ShellEnd = {
  /** As shells have it: a program that a signal ended has 128 and the signal's number. Null where all was ended from outside. */
  exitCode: number | null
  reason: 'exited' | 'timeout' | 'aborted' | 'cut'
  stdout: Buffer
  stderr: string
}

/** Where programs are looked for: the only part of their environment that a script does not set. */
export const programPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'
/** More are started when they are needed, and end afterwards. */
const idleMax = 8
const idle: Shell[] = []

/**
 * Runs commands in one of a few shells that wait for them. The kernel copies the page tables of whoever starts a program:
 * from a process as large as the service that takes its one thread some ten milliseconds, from a small shell next to none.
 * Resolves when the commands and all that they started are gone. Rejects only where the signal is aborted already, or there is a NUL.
 */
export async function runInShell(request: ShellRequest): Promise<ShellEnd> {
  request.signal?.throwIfAborted()
  if (`${request.script}${request.input ?? ''}`.includes('\0'))
    throw new TypeError('Commands and what they read have no NUL.')
  const shell = idle.pop() ?? new Shell()
  const end = await shell.run(request)
  if (shell.isOpen && idle.length < idleMax) idle.push(shell)
  else shell.close()
  return end
}

/** What runs in a shell now. */
type Piece = {
  request: ShellRequest
  /** Both streams end with it, and nobody knows it before. */
  mark: string
  stdout: MarkedOutput
  stderr: string
  reason: ShellEnd['reason']
  finish: (exitCode: number | null) => void
}

class Shell {
  isOpen = true
  readonly #child: ChildProcess
  #piece: Piece | null = null

  constructor() {
    this.#child = spawn('/bin/sh', ['-s'], {
      cwd: '/',
      env: { PATH: programPath },
      // A process group of its own, which ends as a whole.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    lowerPriority(this.#child, { hasOwnSession: true })
    this.#child.stdin?.on('error', () => {}) // that it has ended is seen below
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#takeOutput(chunk))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#takeComplaint(text))
    this.#child.on('error', (error) => {
      if (this.#child.pid === undefined) this.#end(`/bin/sh could not be started: ${error.message}`)
    })
    this.#child.on('close', () => this.#end())
  }

  async run(request: ShellRequest): Promise<ShellEnd> {
    const mark = randomBytes(markBytes / 2).toString('hex')
    const { promise, resolve } = Promise.withResolvers<number | null>()
    const piece: Piece = {
      request,
      mark,
      stdout: new MarkedOutput(mark),
      stderr: '',
      reason: 'exited',
      finish: resolve,
    }
    this.#piece = piece
    this.#holdProcess(true)
    const timer = setTimeout(() => this.#stop('timeout'), request.timeoutMs)
    const abort = () => this.#stop('aborted')
    request.signal?.addEventListener('abort', abort)
    const [before, after] = request.input ? [`printf %s ${quoteWord(request.input)} | `, ''] : ['', ' </dev/null']
    const marks = `printf '${mark}%d\\n' $?; printf '${mark}\\n' >&2`
    this.#child.stdin?.write(`${before}(${request.script}\n)${after}\n${marks}\n`)
    const exitCode = await promise
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', abort)
    this.#piece = null
    this.#holdProcess(false)
    return { exitCode, reason: piece.reason, stdout: piece.stdout.read(request.outputBytesMax), stderr: piece.stderr }
  }

  close(): void {
    this.isOpen = false
    this.#child.stdin?.end()
  }

  #takeOutput(chunk: Buffer): void {
    const piece = this.#piece
    // Somebody outlived the commands: nobody could tell any more whose words these are.
    if (!piece) return this.#kill()
    if (piece.reason !== 'exited') return
    piece.stdout.add(chunk)
    if (piece.stdout.bytes > piece.request.outputBytesMax) this.#stop('cut')
    else this.#finishAtMarks(piece)
  }

  #takeComplaint(text: string): void {
    const piece = this.#piece
    if (!piece) return this.#kill()
    piece.stderr = (piece.stderr + text).slice(-(piece.request.stderrCharactersMax + markBytes + 1))
    this.#finishAtMarks(piece)
  }

  #finishAtMarks(piece: Piece): void {
    const end = `${piece.mark}\n`
    if (piece.reason !== 'exited' || piece.stdout.exitCode === null || !piece.stderr.endsWith(end)) return
    piece.stderr = piece.stderr.slice(0, -end.length)
    piece.finish(piece.stdout.exitCode)
  }

  #stop(reason: Exclude<ShellEnd['reason'], 'exited'>): void {
    const piece = this.#piece
    if (!piece || piece.reason !== 'exited') return
    piece.reason = reason
    this.isOpen = false
    killGroup(this.#child, 'SIGTERM')
    const timer = setTimeout(() => killGroup(this.#child, 'SIGKILL'), piece.request.graceMs)
    this.#child.on('close', () => clearTimeout(timer))
  }

  #kill(): void {
    this.isOpen = false
    killGroup(this.#child, 'SIGKILL')
  }

  /** It is gone, whoever ended it. */
  #end(complaint?: string): void {
    this.isOpen = false
    const at = idle.indexOf(this)
    if (at !== -1) idle.splice(at, 1)
    if (this.#piece && complaint !== undefined) this.#piece.stderr = complaint
    this.#piece?.finish(null)
  }

  /** A shell that waits keeps no process of ours from ending, and ends with it. */
  #holdProcess(mayHold: boolean): void {
    const { stdin, stdout, stderr } = this.#child
    for (const handle of [this.#child, stdin as Socket | null, stdout as Socket | null, stderr as Socket | null])
      if (mayHold) handle?.ref()
      else handle?.unref()
  }
}

const markBytes = 32
/** The mark, an exit code of three digits, and the end of the line. */
const lastLineBytesMax = markBytes + 4

/** What the commands print, up to the line of the mark and the exit code. */
class MarkedOutput {
  readonly #mark: string
  readonly #chunks: Buffer[] = []
  #tail = Buffer.alloc(0)
  #bytes = 0
  exitCode: number | null = null

  constructor(mark: string) {
    this.#mark = mark
  }

  /** How many are the commands' own; of the last ones that may be a part of the mark none. */
  get bytes(): number {
    return this.exitCode === null ? this.#bytes - lastLineBytesMax : this.#bytes
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-lastLineBytesMax)]).subarray(-lastLineBytesMax)
    const text = this.#tail.toString('latin1')
    const at = text.lastIndexOf(this.#mark)
    if (at === -1 || !text.endsWith('\n')) return
    this.exitCode = Number(text.slice(at + markBytes))
    this.#bytes -= text.length - at
  }

  read(bytesMax: number): Buffer {
    return Buffer.concat(this.#chunks).subarray(0, Math.min(this.#bytes, bytesMax))
  }
}
