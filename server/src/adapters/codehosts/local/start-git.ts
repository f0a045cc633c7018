import { spawn, type ChildProcess } from 'node:child_process'
import os from 'node:os'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { killGroup } from '#base/kill-group.ts'
import { lowerPriority } from '#base/lower-priority.ts'
import { trustedBundle } from '#base/network/trust-certificates.ts'
import { programPath, runInShell } from '#base/run-in-shell.ts'
import { quoteWord } from '#base/quote-word.ts'

export type GitRequest = {
  arguments: string[]
  /** The bare repository that it works on. */
  repository?: string
  /** Settings for this one process; nothing of them is stored. A name may come twice. */
  config?: [name: string, value: string][]
  environment?: Record<string, string>
  /** What it may reach other repositories by: `https`, `file`, …. None when not given. */
  protocols?: string[]
  /**
   * The most memory, and seconds of processor time, that it and each program that it starts may use: what others have packed
   * may be made to need any. Those of git that only reads when not given.
   */
  memoryBytesMax?: number
  cpuSecondsMax?: number
  /** The largest file that it may write; any when not given. */
  fileBytesMax?: number
  timeoutMs: number
  signal?: AbortSignal
  /** How long it has to end by itself after its input has ended early, before it is told to. None when not given. */
  quietMs?: number
}

/** `too_much`: it was ended for the processor time that it has used. */
export type GitEnd = { exitCode: number | null; reason: 'exited' | 'timeout' | 'aborted' | 'too_much'; stderr: string }

export type RunningGit = {
  stdin: Writable
  stdout: Readable
  /** Resolves when git and all that it started are gone. Never rejects. */
  ended: Promise<GitEnd>
}

export type ShortGit = GitRequest & { input: string; outputBytesMax: number }

/** In place of a branch's commit: there is no such branch. */
export const noCommit = '0'.repeat(40)

/** The tree of nothing; git knows it in every repository. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const stderrCharactersMax = 16 * 1024
/** How long git has to take its temporary files away when it is told to end. */
const graceMs = 2_000

/**
 * Starts git in a clean room: no settings of the machine or of a user, no hooks, no prompts, no protocol that is not
 * named. Every git that the service itself runs is started here or below.
 */
export function startGit(request: GitRequest): RunningGit {
  request.signal?.throwIfAborted()
  const [program, words] = commandOf(request)
  const child = spawn(program, words, {
    cwd: '/',
    env: environmentOf(request),
    // A process group of its own, so that helpers such as pack-objects end with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  lowerPriority(child, { hasOwnSession: true })
  child.stdin.on('error', () => {}) // git may end before it has read everything
  const stdout = readOn(child.stdout)
  return { stdin: child.stdin, stdout, ended: follow(child, stdout, request) }
}

/** Runs git to its end in the same clean room, where its input is short and its output is looked at as a whole. */
export async function runShortGit(request: ShortGit): Promise<GitEnd & { stdout: Buffer; isCut: boolean }> {
  const { timeoutMs, signal, input, outputBytesMax } = request
  const variables = Object.entries(environmentOf(request)).map(([name, value]) => `${name}=${quoteWord(value)}`)
  const { exitCode, reason, stdout, stderr } = await runInShell({
    script: `${limitsOf(request)}export ${variables.join(' ')}; exec git ${wordsOf(request).map(quoteWord).join(' ')}`,
    input,
    timeoutMs,
    graceMs,
    ...(signal && { signal }),
    outputBytesMax,
    stderrCharactersMax,
  })
  if (reason === 'cut') return { exitCode: 0, reason: 'exited', stdout, stderr, isCut: true }
  const isOverLimit = overLimit.some((name) => exitCode === 128 + os.constants.signals[name])
  if (isOverLimit) return { exitCode: null, reason: 'too_much', stdout, stderr, isCut: false }
  return { exitCode, reason, stdout, stderr, isCut: false }
}

/** What git prints. It is read to its end even where nobody listens: killed by a closed pipe, git leaves files behind. */
function readOn(printed: Readable): Readable {
  const stdout = new PassThrough({ highWaterMark: 256 * 1024 })
  stdout.on('close', () => {
    printed.unpipe(stdout)
    printed.resume()
  })
  return printed.pipe(stdout)
}

function follow(child: ChildProcess, stdout: Readable, request: GitRequest): Promise<GitEnd> {
  const { timeoutMs, signal, quietMs = 0 } = request
  let reason: GitEnd['reason'] = 'exited'
  let stderr = ''
  const timers: NodeJS.Timeout[] = []
  const stop = (why: 'timeout' | 'aborted') => {
    if (reason !== 'exited') return
    reason = why
    child.stdin?.destroy()
    stdout.destroy()
    timers.push(setTimeout(() => killGroup(child, 'SIGTERM'), quietMs))
    timers.push(setTimeout(() => killGroup(child, 'SIGKILL'), quietMs + graceMs))
  }
  const abort = () => stop('aborted')
  timers.push(setTimeout(() => stop('timeout'), timeoutMs))
  signal?.addEventListener('abort', abort)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrCharactersMax)
  })
  const { promise, resolve } = Promise.withResolvers<GitEnd>()
  const end = (exitCode: number | null, output: string) => {
    for (const timer of timers) clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    resolve({ exitCode, reason, stderr: output })
  }
  child.on('error', (error) => child.pid === undefined && end(null, `git could not be started: ${error.message}`))
  child.on('close', (exitCode, signal) => {
    if (reason === 'exited' && signal && overLimit.includes(signal)) reason = 'too_much'
    end(exitCode, stderr)
  })
  return promise
}

/** By which the kernel ends what has used up its processor time or memory, or its stack on folders that are too deep. */
const overLimit: NodeJS.Signals[] = ['SIGXCPU', 'SIGKILL', 'SIGSEGV', 'SIGBUS', 'SIGABRT']

function commandOf(request: GitRequest): [program: string, words: string[]] {
  return ['/bin/sh', ['-c', `${limitsOf(request)}exec git "$@"`, 'git', ...wordsOf(request)]]
}

function wordsOf({ repository, arguments: words }: GitRequest): string[] {
  return repository === undefined ? words : [`--git-dir=${repository}`, ...words]
}

/** What a shell does before it becomes git. */
function limitsOf({
  memoryBytesMax = gitLimits.memoryBytesMax,
  cpuSecondsMax = gitLimits.cpuSecondsMax,
  fileBytesMax,
}: GitRequest): string {
  // Of the limits of a process the one that leaves out the files which git maps. One that is stricter already stays.
  const limits = [`ulimit -d ${Math.floor(memoryBytesMax / 1024)}`, `ulimit -t ${cpuSecondsMax}`]
  // Where the file would become too large git hears of it, and takes away what it has written.
  if (fileBytesMax !== undefined) limits.push(`trap '' XFSZ`, `ulimit -f ${Math.floor(fileBytesMax / 512)}`)
  return limits.map((limit) => `${limit} 2>/dev/null; `).join('')
}

function environmentOf(request: GitRequest): Record<string, string> {
  const config: [string, string][] = [
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    // No program that a repository names is asked for a password.
    ['credential.helper', ''],
    ['core.quotePath', 'false'],
    ['core.fsync', 'committed,loose-object'],
    // Others than the service may read the objects: whether they come this far is up to the folder above.
    ['core.sharedRepository', '0644'],
    // A larger file is handled piece by piece, never held in memory whole.
    ['core.bigFileThreshold', '32m'],
    // Whoever moves a ref while refs are packed waits for it, rather than to fail.
    ['core.filesRefLockTimeout', '10000'],
    ['core.packedRefsTimeout', '30000'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    // What a repository says of its own files decides nothing here.
    ['attr.tree', emptyTree],
    ['core.attributesFile', '/dev/null'],
    ['receive.autogc', 'false'],
    // The folder may belong to another user, as a mounted volume does; what lies in it is ours.
    ...(request.repository === undefined ? [] : [['safe.directory', request.repository] as [string, string]]),
    ...(request.config ?? []),
  ]
  const certificates = trustedBundle()
  return {
    PATH: programPath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: (request.protocols ?? []).join(':'),
    ...(certificates !== null && { GIT_SSL_CAINFO: certificates }),
    ...request.environment,
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}
