import type { Intent } from '#adapters/engines/engine.ts'
import type { ExecRequest, OutputFilter, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { MaskedStream } from '#base/redaction/masked-stream.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import { withExec } from '#adapters/sandboxes/with-exec.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

export type ShowProgress = {
  /** The same sandbox, looked at while commands run in it. */
  sandbox: Sandbox
  /** Which tool is at work from now on; null: none. */
  begin(intent: Intent | null): void
}

type Shown = {
  runId: number
  sandbox: Sandbox
  redactor: Redactor
  onOutput?: () => void
}

/**
 * Shows those who follow a run what the tool at work prints, as it prints it, now and then; nothing of it is stored.
 * Secrets are taken out before the engine hears of it: what it cuts to length, and whoever it tells, has no part of one.
 */
export function showProgress(
  { notifier }: Pick<App, 'notifier'>,
  { runId, sandbox, redactor, onOutput = () => {} }: Shown,
): ShowProgress {
  let toolName: string | null = null
  let tail = Buffer.alloc(0)
  let streams: MaskedStream[] = []
  let timer: NodeJS.Timeout | undefined
  const show = () => {
    timer = undefined
    const seen = Buffer.concat([tail, ...streams.map((stream) => stream.peek())]).subarray(-limits.progressBytesMax)
    // The first and the last character may be cut through.
    const output = trimTrailing(seen.toString().replace(/^\ufffd+/, ''), '\ufffd')
    if (output) notifier.notifyProgress({ runId, toolName, output })
  }
  const hear = (chunk: Uint8Array) => {
    tail = Buffer.from(Buffer.concat([tail, chunk]).subarray(-limits.progressBytesMax))
    showSoon()
  }
  const showSoon = () => (timer ??= setTimeout(show, limits.progressMs))
  const openFilter = (): OutputFilter => {
    const stream = redactor.openStream()
    streams.push(stream)
    return {
      // Of a few words all may be held back, and then nothing comes out that would be heard; they are shown all the same.
      write: (chunk) => {
        showSoon()
        return stream.write(chunk)
      },
      end: () => stream.end(),
    }
  }
  const exec = (request: ExecRequest) => {
    // One that is spoken with is not for people, and must not wait for an answer of which the end is held back.
    const isSpokenWith = request.interactive === true
    return sandbox.exec({
      ...request,
      ...(request.isSession ? { openFilter: () => redactor.openStream() } : !isSpokenWith && { openFilter }),
      onOutput: (stream, chunk) => {
        // A server that prints by itself is no progress of the run.
        if (!request.isSession) onOutput()
        if (!isSpokenWith) hear(chunk)
        request.onOutput?.(stream, chunk)
      },
    })
  }
  return {
    sandbox: withExec(sandbox, exec),
    begin: (intent) => {
      clearTimeout(timer)
      timer = undefined
      tail = Buffer.alloc(0)
      streams = []
      notifier.endProgress(runId)
      const name = intent && nameOf(intent)
      toolName = name && redactor.mask(name)
    },
  }
}

function nameOf({ request }: Intent): string | null {
  const name = request['name'] ?? request['tool']
  return typeof name === 'string' ? name : null
}
