import os from 'node:os'
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import { version } from './version.ts'

export type { Logger } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Where secrets travel in what we log: headers of requests, and fields of our own that hold one. */
const secretPaths = ['authorization', 'cookie', 'token', 'secret', 'password', 'apiKey'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
])

export type OpenLogger = {
  level: LogLevel
  /** What the process is for, such as `worker`: its lines say that, its host, its number and its version. */
  role?: string
  destination?: DestinationStream
}

/** Lines of JSON, one an event. What is known to hold a secret is blotted out. */
export function openLogger(options: OpenLogger): Logger {
  const { role } = options
  const settings = {
    level: options.level,
    base: role === undefined ? null : { role, host: os.hostname(), pid: process.pid, version },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: tellError },
    redact: { paths: secretPaths, censor: '[secret]' },
  }
  return options.destination ? pino(settings, options.destination) : pino(settings)
}

/** What of an error says where it lies. Others of its fields can hold a row, or what a model was sent. */
const toldOfErrors = ['type', 'message', 'stack', 'code', 'syscall', 'signal', 'table', 'constraint', 'routine']

function tellError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const known = Object.entries(stdSerializers.err(error))
  return Object.fromEntries(known.filter(([name]) => toldOfErrors.includes(name)))
}
