import type { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { EnforcementReport } from '#base/enforcement.ts'
import { execInOwnNamespace } from './exec-in-own-namespace.ts'
import { ExecChannel } from './exec-channel.ts'
import { GONE_MS_MAX } from './process-record.ts'
import { runCommand } from './run-command.ts'
import type { Exec, ExecRequest, Sandbox, SandboxLimits, SandboxPaths } from './sandbox.ts'
import { readSandboxFile, writeSandboxFile } from './transfer-file.ts'

/** Node needs a quarter of this on a machine that is overloaded tenfold. */
const START_MS_MAX = 15_000
/** For the first way to end the processes; then the second. */
const END_MS_MAX = 2_000
const COMPLAINT_CHARACTERS_MAX = 2_000

/**
 * The exec agent, or what it runs in: requests to its stdin, answers from its stdout, complaints from its stderr. Tells as
 * a child process does that it has ended (`exit`), and that nobody holds its pipes any more (`close`).
 */
export type MainProcess = EventEmitter & {
  stdin: Writable | null
  stdout: Readable | null
  stderr: Readable | null
  readonly stdio: readonly (Readable | Writable | null | undefined)[]
  /** None where it is no child of this process. */
  readonly pid?: number | undefined
  /** It keeps this process from ending no longer. */
  unref(): void
}

/** The processes of a sandbox as the provider that started them sees them. */
export type SandboxProcesses = {
  main: MainProcess
  /** Ends all of it, so that `main` ends too. */
  end(): void
  /** The same by force, for when `end` did not. */
  kill(): void
  /** Called when `main` has ended, or does not end. Resolves to whether all others are gone; false after a while. */
  gone(): Promise<boolean>
  outOfMemoryKills(): number
}

/** What processes of their own may not do. */
export type OwnNamespace = { looksOnly: boolean; keepsWorkTree: boolean }
/** Starts another exec agent over the files of a sandbox. */
export type LaunchInOwnNamespace = (how: OwnNamespace) => Promise<LocalSandbox>

/** What a sandbox that was made ready before it was needed is told of whoever gets it. */
export type Assignment = {
  id: string
  /** For its commands, besides what is the same in every sandbox. */
  environment: Record<string, string>
  launchInOwnNamespace: LaunchInOwnNamespace
  onLeft: (error?: unknown) => void
}

/** A sandbox with whose exec agent this process speaks. */
export class LocalSandbox implements Sandbox {
  readonly paths: SandboxPaths
  readonly enforcement: EnforcementReport
  readonly limits: SandboxLimits
  readonly proxyUrl: string | null
  readonly canLookOnly: boolean
  readonly closed: Promise<{ reason: string }>
  readonly #processes: SandboxProcesses
  readonly #listening: AsyncDisposable | undefined
  readonly #channel: ExecChannel
  #id: string
  #environment: Record<string, string> = {}
  #launchInOwnNamespace: LaunchInOwnNamespace
  readonly #apart = new Set<Promise<LocalSandbox>>()
  #onLeft: (error?: unknown) => void
  readonly #giveUp = Promise.withResolvers<void>()
  readonly #endsWhenClosed = new AbortController()
  #reason: string | undefined
  #isLeft = true
  #complaint = ''

  constructor(options: {
    id: string
    paths: SandboxPaths
    enforcement: EnforcementReport
    limits: SandboxLimits
    processes: SandboxProcesses
    proxyUrl: string | null
    /** What listens for the sandbox; it ends with it. */
    listening: AsyncDisposable | undefined
    canLookOnly: boolean
    launchInOwnNamespace: LaunchInOwnNamespace
    /** Called before `closed` resolves when processes of it are still there, or may be: they do not end when killed. */
    onLeft: (error?: unknown) => void
  }) {
    this.#id = options.id
    this.paths = options.paths
    this.enforcement = options.enforcement
    this.limits = options.limits
    this.proxyUrl = options.proxyUrl
    this.canLookOnly = options.canLookOnly
    this.#processes = options.processes
    this.#listening = options.listening
    this.#launchInOwnNamespace = options.launchInOwnNamespace
    this.#onLeft = options.onLeft
    const { main } = options.processes
    // The three are pipes: the provider started it so.
    const stderr = main.stderr as Readable
    stderr.on('data', (chunk: Buffer) => (this.#complaint = (this.#complaint + chunk).slice(-COMPLAINT_CHARACTERS_MAX)))
    this.#channel = new ExecChannel({
      input: main.stdout as Readable,
      output: main.stdin as Writable,
      onBroken: (complaint) => void this.stop(`protocol: ${complaint}`),
    })
    main.on('error', (error) => (this.#complaint += error.message))
    this.closed = this.#ended().then(() => this.#close())
  }

  get id(): string {
    return this.#id
  }

  /** For its commands, besides what is the same in every sandbox. */
  get environment(): Readonly<Record<string, string>> {
    return this.#environment
  }

  /** Whether processes of it are still there, or may be. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Processes of it that the kernel has killed for want of memory, so far. */
  outOfMemoryKills(): number {
    return this.#processes.outOfMemoryKills()
  }

  /** Called once at most, and before any command. */
  assign({ id, environment, launchInOwnNamespace, onLeft }: Assignment): void {
    this.#id = id
    this.#environment = environment
    this.#launchInOwnNamespace = launchInOwnNamespace
    this.#onLeft = onLeft
  }

  /** Aborts when the sandbox ends. */
  get signal(): AbortSignal {
    return this.#endsWhenClosed.signal
  }

  /** Resolves when commands can be run. Rejects, with nothing left behind, when it does not come to that. */
  async start(): Promise<void> {
    const timer = setTimeout(() => void this.stop('it did not answer in time'), START_MS_MAX)
    try {
      await this.#channel.ready
    } catch (error) {
      const { reason } = await this.closed
      throw new Error(`the sandbox did not start: ${this.#complaint.trim() || reason}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  /** What the exec agent says and hears, for somebody else, who alone speaks with it from now on. Called once at most, instead of any command. */
  handOver(): { input: Readable; output: Writable } {
    return this.#channel.handOver()
  }

  exec(request: ExecRequest): Exec {
    const { looksOnly = false, keepsWorkTree = false, ownNamespace } = request
    const isHeld = looksOnly || keepsWorkTree
    if (isHeld && !this.canLookOnly) throw new TypeError('this sandbox cannot hold a command to looking')
    if (isHeld || ownNamespace) return execInOwnNamespace(request, () => this.openApart({ looksOnly, keepsWorkTree }))
    return runCommand(
      { ...request, env: { ...this.#environment, ...request.env } },
      {
        channel: this.#channel,
        workspace: this.paths.workspace,
        limits: this.enforcement.disk === 'none' ? null : this.limits,
        outOfMemoryKills: () => this.#processes.outOfMemoryKills(),
        onUnresponsive: () => void this.stop('unresponsive'),
      },
    )
  }

  readFile(path: string, options: { bytesMax?: number } = {}): Promise<Buffer> {
    return readSandboxFile(this.#channel, this.#resolve(path), options)
  }

  writeFile(path: string, data: Uint8Array, options: { mode?: number } = {}): Promise<void> {
    return writeSandboxFile(this.#channel, this.#resolve(path), data, options)
  }

  async stop(reason: string): Promise<void> {
    if (this.#reason === undefined) {
      this.#reason = reason
      this.#processes.end()
      const timer = setTimeout(() => this.#kill(), END_MS_MAX)
      void this.closed.then(() => clearTimeout(timer))
    }
    await this.closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('disposed')
  }

  /** Processes of their own over the same files; they end with this sandbox at the latest. */
  async openApart(how: OwnNamespace): Promise<LocalSandbox> {
    this.signal.throwIfAborted()
    const opening = this.#launchInOwnNamespace(how)
    this.#apart.add(opening)
    const forget = () => void this.#apart.delete(opening)
    opening.then(({ closed }) => closed).then(forget, forget)
    return opening
  }

  /** Joined and not normalized: what `..` means behind a link, only the sandbox knows. */
  #resolve(path: string): string {
    return path.startsWith('/') ? path : `${this.paths.workspace}/${path}`
  }

  /** By force; what even that does not end, because it waits for a disk or is frozen, is waited for no longer than a moment. */
  #kill(): void {
    this.#processes.kill()
    this.#giveUpSoon()
  }

  #giveUpSoon(): void {
    setTimeout(() => this.#giveUp.resolve(), GONE_MS_MAX).unref()
  }

  async #stopListening(): Promise<void> {
    try {
      await this.#listening?.[Symbol.asyncDispose]()
    } catch {
      // Nobody is left who could use it.
    }
  }

  /** When `main` has ended and nobody holds its pipes any more, or when it is given up. Nothing is heard of it from then on. */
  async #ended(): Promise<void> {
    const { main } = this.#processes
    main.once('close', () => this.#giveUp.resolve())
    main.once('exit', () => this.#giveUpSoon())
    await this.#giveUp.promise
    for (const pipe of main.stdio) pipe?.destroy()
    main.unref()
  }

  /** Whatever fails in it, whoever waits for the end of the sandbox learns of the end. */
  async #close(): Promise<{ reason: string }> {
    const isStarved = this.#reason === undefined && this.#processes.outOfMemoryKills() > 0
    const reason = (this.#reason ??= isStarved ? 'out_of_memory' : 'lost')
    this.#endsWhenClosed.abort()
    await Promise.allSettled([...this.#apart].map(async (apart) => (await apart).stop('the sandbox has ended')))
    try {
      if (await this.#processes.gone()) this.#isLeft = false
      else this.#onLeft()
    } catch (error) {
      this.#onLeft(error)
    }
    await this.#stopListening()
    this.#channel.close()
    return { reason }
  }
}
