import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type AnyMessage,
  type ClientContext,
  type Stream,
} from '@agentclientprotocol/sdk'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Exec, ExecRequest, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { stripEscapes } from '#base/text/strip-escapes.ts'
import { version } from '#base/version.ts'
import { pickOption } from './pick-option.ts'

/** One message of an agent. A file that was read, and an image, come in one piece. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024
/** All that an agent may say in one turn: reading it keeps the worker busy. */
const SAID_BYTES_MAX = 128 * 1024 * 1024
/** Said and not yet read. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024
const COMPLAINT_CHARACTERS_MAX = 2_000
const LAST_WORDS_MS = 1_000

/** An agent at work, spoken with by the Agent Client Protocol. */
export type ConnectedAgent = AsyncDisposable & {
  /** Rejects with an `EngineError` when the agent ends, or says what is no message. */
  request<T = unknown>(method: string, params: object): Promise<T>
  /** Says what is not answered. */
  notify(method: string, params: object): void
}

export type ConnectAgent = {
  /** As people know it. */
  title: string
  sandbox: Sandbox
  start: Pick<ExecRequest, 'argv' | 'env' | 'secrets' | 'cwd' | 'signal' | 'keepsWorkTree'>
  /** Told of each `session/update`, as the agent sent it. */
  onUpdate: (update: unknown) => void
  outputBytesMax?: number | undefined
}

/** Starts an agent in the sandbox. Whatever it says is a stranger's. */
export function connectAgent(options: ConnectAgent): ConnectedAgent {
  const { title, sandbox, start, onUpdate, outputBytesMax = SAID_BYTES_MAX } = options
  const input = openInput(outputBytesMax)
  let complaint = ''
  const exec: Exec = sandbox.exec({
    ...start,
    interactive: true,
    timeoutMs: sandbox.limits.lifetimeMs,
    outputBytesMax: 4096,
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') input.take(chunk)
      else complaint = (complaint + Buffer.from(chunk).toString('utf8')).slice(-COMPLAINT_CHARACTERS_MAX)
    },
  })
  const { promise: ended, reject: endWith } = Promise.withResolvers<never>()
  ended.catch(() => {})
  const fail = (why: string) => {
    const words = stripEscapes(complaint).trim()
    endWith(new EngineError('engine_error', `${title} ${why}${words && `\n${words}`}`))
    exec.kill()
  }
  input.onFlood = () => fail('was stopped: it said more than it may.')
  void exec.result.then(({ exitCode, reason }) => {
    input.end()
    fail(reason === 'exited' ? `ended with exit code ${exitCode}.` : `was ended (${reason}).`)
  })

  const lines = ndJsonStream(outputTo(exec), input.stream, { maxMessageBytes: MESSAGE_BYTES_MAX })
  const connection = client({ name: 'runwright' }).connect(answersOnly(lines, { exec, onUpdate }))
  // Why it has ended says more, and may be known a moment later.
  void connection.closed.then(() => {
    const timer = setTimeout(() => fail('said what is no message of the protocol, or nothing more.'), LAST_WORDS_MS)
    void exec.result.then(() => clearTimeout(timer))
  })
  const agent: ClientContext = connection.agent
  return {
    request: <T>(method: string, params: object) => {
      const answered = agent.request<T>(method, params).catch((error: unknown) => tellOf(error, title))
      // Where the agent has ended, that is what is told.
      answered.catch(() => {})
      return Promise.race([ended, answered])
    },
    notify: (method, params) => void agent.notify(method, params).catch(() => {}),
    [Symbol.asyncDispose]: async () => {
      exec.kill()
      connection.close()
      await exec.result
    },
  }
}

export const initializing = {
  protocolVersion: PROTOCOL_VERSION,
  // It works on the files itself: the sandbox around it holds it.
  // Without a place for notices some agents say as words of their model that they do not know a model, or that they try again.
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { notices: {} },
  },
  clientInfo: { name: 'runwright', version },
}

type Heard = { exec: Pick<Exec, 'write'>; onUpdate: (update: unknown) => void }

/**
 * What an agent says by itself is taken here, as far as it is understood: the library refuses whatever is of a newer form, and
 * prints that it did. It is left with the answers that it waits for.
 */
function answersOnly(lines: Stream, { exec, onUpdate }: Heard): Stream {
  const awaited = new Set<unknown>()
  const sent = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && 'id' in message) awaited.add(message.id)
      controller.enqueue(message)
    },
  })
  const heard = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown }
      if (method === undefined) return awaited.delete(id) ? controller.enqueue(message) : undefined
      if (method === methods.client.session.update) return onUpdate((params as { update?: unknown } | null)?.update)
      if (id !== undefined) exec.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answerTo(method, params) })}\n`)
    },
  })
  const whole = sent.readable.pipeTo(lines.writable)
  whole.catch(() => {})
  return { writable: sent.writable, readable: lines.readable.pipeThrough(heard) }
}

/** To what an agent asks of us. */
function answerTo(method: unknown, params: unknown): object {
  if (method === methods.client.session.requestPermission) return { result: pickOption(params) }
  return { error: { code: -32601, message: 'This client does not offer that.' } }
}

/** A request that the agent refused. */
function tellOf(error: unknown, title: string): never {
  const { message, data } = error as { message?: string; data?: unknown }
  const details = data === undefined ? '' : ` ${JSON.stringify(data).slice(0, COMPLAINT_CHARACTERS_MAX)}`
  throw new EngineError('engine_error', `${title} failed: ${message ?? String(error)}${details}`)
}

function outputTo(exec: Exec): WritableStream<Uint8Array> {
  return new WritableStream({ write: (chunk) => exec.write(chunk) })
}

/** What the agent says, bounded: a pipe that nobody slows down. */
function openInput(outputBytesMax: number) {
  let bytes = 0
  let isOver = false
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const state = {
    onFlood: () => {},
    stream: new ReadableStream<Uint8Array>(
      {
        start: (own) => void (controller = own),
        cancel: () => void (isOver = true),
      },
      { highWaterMark: WAITING_BYTES_MAX, size: (chunk) => chunk.length },
    ),
    take(chunk: Uint8Array) {
      if (isOver) return
      bytes += chunk.length
      controller.enqueue(new Uint8Array(chunk))
      if (bytes > outputBytesMax || (controller.desiredSize ?? 0) <= 0) state.onFlood()
    },
    end() {
      if (isOver) return
      isOver = true
      controller.close()
    },
  }
  return state
}
