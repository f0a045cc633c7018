import { quoteWord } from '#base/quote-word.ts'
import type { ExecRequest, ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import { appendSandboxLog } from '#domain/runs/sandbox-logs/append-sandbox-log.ts'
import type { SandboxCommand } from '#domain/runs/sandbox-logs/sandbox-command.ts'
import { withExec } from '#adapters/sandboxes/with-exec.ts'

export type KeepSandboxLog = {
  organizationId: number
  /** Its number. */
  sandboxId: number
  sandbox: Sandbox
}

type Keeping = Pick<App, 'pool' | 'logger' | 'mask' | 'clock'>

/**
 * The same sandbox, of whose commands is kept how they ended. Nobody waits for that but who stops it. What is heard of our
 * own commands in it, and of one that is spoken with, is nothing for people: only what goes through a filter is kept.
 */
export function keepSandboxLog(app: Keeping, { organizationId, sandboxId, sandbox }: KeepSandboxLog): Sandbox {
  const log = new SandboxLog(app, (commands) => appendSandboxLog(app.pool, { organizationId, sandboxId, commands }))
  void sandbox.closed.then(() => log.flush())
  const exec = (request: ExecRequest) => {
    const startedAt = app.clock.now()
    const begun = sandbox.exec(request)
    if (request.openFilter) void begun.result.then((result) => log.add({ request, startedAt, result }))
    return begun
  }
  const stop = async (reason: string) => {
    await sandbox.stop(reason)
    await log.flush()
  }
  return { ...withExec(sandbox, exec), stop }
}

type Ended = { request: ExecRequest; startedAt: Date; result: ExecResult }

class SandboxLog {
  readonly #app: Keeping
  readonly #append: (commands: SandboxCommand[]) => Promise<void>
  #n = 0
  #waiting: SandboxCommand[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(app: Keeping, append: (commands: SandboxCommand[]) => Promise<void>) {
    this.#app = app
    this.#append = append
  }

  add({ request, startedAt, result }: Ended): void {
    const { exitCode, reason, output, cutBytes, durationMs } = result
    const kept = output.subarray(-limits.sandboxLogOutputBytesMax)
    const clean = (text: string) => cleanJson(text, this.#app.mask) as string
    this.#waiting.push({
      n: ++this.#n,
      command: clean(nameOf(request)),
      startedAt,
      durationMs: Math.round(durationMs),
      exitCode,
      reason,
      // The first character may be cut through.
      output: clean(kept.toString().replace(/^\ufffd+/, '')),
      cutBytes: cutBytes + output.length - kept.length,
    })
    // A database that is slow to take them costs the oldest.
    this.#waiting = this.#waiting.slice(-limits.sandboxLogCommandsMax)
    this.#timer ??= setTimeout(() => void this.flush(), limits.sandboxLogMs)
  }

  /** Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return (this.#writing = this.#writing.then(() => this.#write()))
  }

  async #write(): Promise<void> {
    const commands = this.#waiting.splice(0)
    if (!commands.length) return
    await this.#append(commands).catch((error: unknown) =>
      this.#app.logger.debug({ err: error }, 'could not keep the log of a sandbox'),
    )
  }
}

function nameOf({ argv, shell }: ExecRequest): string {
  const text = shell ?? (argv ?? []).map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : quoteWord(word))).join(' ')
  return Buffer.byteLength(text) <= limits.sandboxLogCommandBytesMax
    ? text
    : `${Buffer.from(text).subarray(0, limits.sandboxLogCommandBytesMax).toString()} […]`
}
