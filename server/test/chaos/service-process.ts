import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, stopProcess } from '#test/service.ts'
import { endAtExit } from './end-at-exit.ts'
import type { Journal } from './journal.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type Role = 'api' | 'worker' | 'remote-worker'

export type ServiceProcessOptions = {
  name: string
  role: Role
  env: Record<string, string>
  /** Where its own words are kept, a file for each process. */
  wordsFolder: string
  /** Null for one on a machine that does not know the database. */
  databaseUrl: string | null
  journal: Journal
  /** What it says, line by line. */
  onLine: (name: string, line: string) => void
}

/** A process of the service that is started again, whatever ends it, with a database connection that can be broken. */
export class ServiceProcess implements AsyncDisposable {
  readonly name: string
  readonly role: Role
  readonly database: TcpProxy | null
  readonly #options: ServiceProcessOptions
  #child: ChildProcess | undefined
  #isFrozen = false
  #isReady = false
  #isEnding = false
  #restartMs = 500
  #life: Promise<void> | undefined

  private constructor(options: ServiceProcessOptions, database: TcpProxy | null) {
    this.name = options.name
    this.role = options.role
    this.database = database
    this.#options = options
  }

  /** Resolves when it is ready. */
  static async start(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const { databaseUrl } = options
    const database = databaseUrl && (await startTcpProxy({ targetPorts: [Number(new URL(databaseUrl).port)] }))
    const made = new ServiceProcess(options, database || null)
    endAtExit(() => (made.#hasEnded() ? undefined : made.pid))
    made.#life = made.#liveForEver()
    await made.untilReady()
    return made
  }

  /** At work, as far as anybody can see. */
  get isUp(): boolean {
    return this.#isReady && !this.#isFrozen
  }

  get dataDir(): string {
    return this.#options.env['RUNWRIGHT_DATA_DIR'] ?? ''
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async untilReady(): Promise<void> {
    while (!this.#isReady) await sleep(20)
  }

  /** Ends it; it comes back when it has ended and `restartMs` have passed. Resolves when it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM', { restartMs }: { restartMs: number }): Promise<void> {
    const child = this.#child
    if (!child || this.#hasEnded()) return
    this.#restartMs = restartMs
    this.#isReady = false
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  async freeze(ms: number): Promise<void> {
    const child = this.#child
    this.#isFrozen = true
    child?.kill('SIGSTOP')
    await sleep(ms)
    child?.kill('SIGCONT')
    this.#isFrozen = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true
    if (this.#child) await stopProcess(this.#child)
    await this.#life
    await this.database?.[Symbol.asyncDispose]()
  }

  #hasEnded(): boolean {
    return this.#child?.exitCode !== null || this.#child.signalCode !== null
  }

  async #liveForEver(): Promise<void> {
    while (!this.#isEnding) {
      await this.#live()
      this.#isReady = false
      if (!this.#isEnding) await sleep(this.#restartMs)
    }
  }

  #databaseSetting(): { DATABASE_URL?: string } {
    if (!this.#options.databaseUrl || !this.database) return {}
    const url = new URL(this.#options.databaseUrl)
    url.port = String(this.database.port)
    return { DATABASE_URL: url.href }
  }

  async #live(): Promise<void> {
    const { name, role, env, wordsFolder, journal, onLine } = this.#options
    const words = createWriteStream(path.join(wordsFolder, `${name}.log`), { flags: 'a' })
    let rest = ''
    const { child, ready } = startProcess(role, {
      env: { ...env, ...this.#databaseSetting() },
      onSaid: (text) => {
        words.write(text)
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) onLine(name, line)
      },
    })
    this.#child = child
    const pid = child.pid ?? 0
    journal.write({ kind: 'process', name, pid, event: 'started' })
    const ended = new Promise<string>((resolve) =>
      child.once('close', (code, signal) => resolve(signal ?? `exit ${code}`)),
    )
    ready.then(
      () => {
        this.#isReady = true
        journal.write({ kind: 'process', name, pid, event: 'ready' })
      },
      () => {},
    )
    const how = await ended
    journal.write({ kind: 'process', name, pid, event: 'ended', how })
    words.end()
  }
}
