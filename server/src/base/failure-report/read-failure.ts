import { findErrors, type ErrorLine } from './find-errors.ts'
import { knownFailures, type FailureKind, type KnownFailure } from './known-failures.ts'
import { logLines } from './log-lines.ts'
import { readCommand } from './read-command.ts'
import { signFailure } from './sign-failure.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** What the log of something that failed tells, read without a model. All text of it is foreign. */
export type FailureReport = {
  /** The command that failed, as the log says; null where it does not. */
  command: string | null
  exitCode: number | null
  /** The first lines that say what went wrong, each once. */
  errors: string[]
  /** What that usually means; null where it is nothing known. */
  known: { cause: string; kind: FailureKind; meaning: string } | null
  /** The part of the log that matters, of at most `excerptBytesMax`. */
  excerpt: string
  /** The same for the same failure at another time and place. */
  signature: string
}

export type ReadFailure = {
  /** What is known better than the log says it. */
  command?: string
  exitCode?: number | null
  excerptBytesMax?: number
}

const excerptBytesDefault = 64 * 1024
/** What is looked at of a log: its end, where programs say why they stop. */
const readCharactersMax = 1024 * 1024
/** And of its lines: each is compared with what tools are known to write. */
const linesMax = 70_000
const errorsMax = 20
const signedMax = 50
/** Lines before the first error that show what led to it. */
const linesBefore = 20
/** Lines around an error that may say more of it. */
const linesAround = 2

/** Reads why something failed out of its log. */
export function readFailure(log: string, options: ReadFailure = {}): FailureReport {
  const lines = logLines(log.slice(-readCharactersMax)).slice(-linesMax)
  const errors = findErrors(lines)
  const first = errors[0]?.at ?? lines.length
  const command = readCommand(lines, first)
  const shown = lines.slice(0, errors.length > 0 ? undefined : -1)
  return {
    command: options.command ?? command.command,
    exitCode: options.exitCode ?? command.exitCode,
    errors: [...new Set(errors.map(({ text }) => text.trim()))].slice(0, errorsMax),
    known: findKnown(lines, errors),
    excerpt: cutExcerpt(lines, first, options.excerptBytesMax ?? excerptBytesDefault),
    signature: signFailure(
      errors.length > 0 ? errors.slice(0, signedMax).map(({ text }) => text) : shown.slice(-signedMax),
    ),
  }
}

/** A log without any known error is judged by its end. */
function findKnown(lines: readonly string[], errors: readonly ErrorLine[]): FailureReport['known'] {
  const near = new Set(errors.flatMap(({ at }) => range(at - linesAround, at + linesAround)))
  const judged =
    errors.length > 0 ? lines.filter((line, at) => near.has(at) && !passing.test(line)) : lines.slice(-linesBefore)
  const known = knownFailures.find(({ pattern }: KnownFailure) => judged.some((line) => pattern.test(line)))
  return known ? { cause: known.cause, kind: known.kind, meaning: known.meaning } : null
}

/** What a test is called that passes says nothing of its neighbour. */
const passing = /^\s*(?:[✔✓√]|ok\b|PASS(?:ED)?\b)/

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}

/** From a little before the first error to the end; what is too long for that loses its middle. */
function cutExcerpt(lines: readonly string[], first: number, bytesMax: number): string {
  const from = Math.max(0, Math.min(first, lines.length - 1) - linesBefore)
  const text = lines.slice(from).join('\n').trim()
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  const half = Math.floor(bytesMax / 2) - 40
  const whole = (part: Buffer) => trimTrailing(part.toString().replace(/^\ufffd+/, ''), '\ufffd')
  return `${whole(bytes.subarray(0, half))}\n[… ${bytes.length - 2 * half} bytes left out …]\n${whole(bytes.subarray(-half))}`
}
