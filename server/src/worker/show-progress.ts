import type { Intent } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app.ts'
import { limits } from '#base/limits.ts'

export type ShowProgress = {
  /** The same sandbox, looked at while commands run in it. */
  sandbox: Sandbox
  /** Which tool is at work from now on; null: none. */
  begin(intent: Intent | null): void
}

/** Shows those who follow a run what the tool at work prints, as it prints it, now and then; nothing of it is stored. */
export function showProgress(
  { announcer, mask }: Pick<App, 'announcer' | 'mask'>,
  { runId, sandbox, onOutput = () => {} }: { runId: number; sandbox: Sandbox; onOutput?: () => void },
): ShowProgress {
  let toolName: string | null = null
  let tail = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  const show = () => {
    timer = undefined
    const output = endOf(mask(wholeLines(tail)))
    if (output) announcer.announceProgress({ runId, toolName, output })
  }
  const hear = (chunk: Uint8Array) => {
    onOutput()
    // Twice what is shown, so that a secret which the cut goes through is still whole when it is taken out.
    tail = Buffer.from(Buffer.concat([tail, chunk]).subarray(-2 * limits.progressBytesMax))
    timer ??= setTimeout(show, limits.progressMs)
  }
  return {
    sandbox: heard(sandbox, hear),
    begin: (intent) => {
      clearTimeout(timer)
      timer = undefined
      tail = Buffer.alloc(0)
      toolName = intent ? nameOf(intent) : null
    },
  }
}

function nameOf({ request }: Intent): string | null {
  const name = request['name'] ?? request['tool']
  return typeof name === 'string' ? name : null
}

/** Up to the last line that has ended: of a secret that is still being printed, no part can be known as one. */
function wholeLines(bytes: Buffer): string {
  const text = bytes.toString()
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
}

function endOf(text: string): string {
  return Buffer.from(text)
    .subarray(-limits.progressBytesMax)
    .toString()
    .replace(/^\ufffd+/, '')
}

function heard(sandbox: Sandbox, hear: (chunk: Uint8Array) => void): Sandbox {
  return {
    id: sandbox.id,
    paths: sandbox.paths,
    enforcement: sandbox.enforcement,
    proxyUrl: sandbox.proxyUrl,
    closed: sandbox.closed,
    exec: (request) =>
      sandbox.exec({
        ...request,
        onOutput: (stream, chunk) => {
          hear(chunk)
          request.onOutput?.(stream, chunk)
        },
      }),
    readFile: (path, options) => sandbox.readFile(path, options),
    writeFile: (path, data, options) => sandbox.writeFile(path, data, options),
    stop: (reason) => sandbox.stop(reason),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}
