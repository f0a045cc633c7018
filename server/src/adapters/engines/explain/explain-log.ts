import { readFailure, type FailureReport } from '#base/failure-report/read-failure.ts'
import { shorten } from '#base/text/shorten.ts'

/** A command that has ended, as it was kept of a sandbox. */
export type EndedCommand = {
  command: string
  exitCode: number | null
  reason: string
  durationMs: number
  output: string
}

const failuresMax = 5
const errorsMax = 5
const characters = { command: 300, error: 300 }

/** What went wrong in a sandbox, in words: which commands failed, with what, and what that usually means. */
export function explainLog(commands: readonly EndedCommand[]): { answer: string; summary: string } {
  const failed = commands.filter(hasFailed)
  const last = failed.at(-1)
  if (!last) {
    const summary = `None of the ${count(commands.length, 'command')} that are kept of this sandbox has failed.`
    return { summary, answer: summary }
  }
  const summary = `${failed.length} of ${count(commands.length, 'command')} failed, the last one ${howEnded(last)}: ${inline(last.command)}`
  const failures = groupFailures(failed)
  const shown = failures.slice(-failuresMax).map((failure) => describe(failure, commands))
  const more = failures.length - shown.length
  return {
    summary,
    answer: [
      summary,
      ...(more > 0 ? [`The newest ${failuresMax} kinds of failures; ${more} came before.`] : []),
      ...shown,
    ].join('\n\n'),
  }
}

function hasFailed({ exitCode, reason }: EndedCommand): boolean {
  return exitCode !== 0 || reason !== 'exited'
}

type Failure = { report: FailureReport; times: EndedCommand[] }

/** The same fault of the same command is one, however often; in the order in which each came last. */
function groupFailures(failed: readonly EndedCommand[]): Failure[] {
  const failures = new Map<string, Failure>()
  for (const command of failed) {
    const report = readFailure(command.output, { command: command.command, exitCode: command.exitCode })
    const key = `${command.command}\0${report.signature}`
    const times = [...(failures.get(key)?.times ?? []), command]
    failures.delete(key)
    failures.set(key, { report, times })
  }
  return [...failures.values()]
}

function describe({ report, times }: Failure, commands: readonly EndedCommand[]): string {
  const last = times.at(-1)!
  const often = times.length > 1 ? `, ${times.length} times` : ''
  const passedLater = commands
    .slice(commands.indexOf(last) + 1)
    .some((later) => later.command === last.command && !hasFailed(later))
  const errors = report.errors.slice(0, errorsMax).map((line) => `    ${shorten(line, characters.error)}`)
  return [
    `- ${inline(last.command)} ${howEnded(last)}${often}${passedLater ? '; later it passed' : ''}.`,
    ...(errors.length ? ['  The first lines that say why:\n', ...errors] : ['  Nothing that it printed says why.']),
    ...(report.known ? [`\n  That usually means: ${report.known.meaning}`] : []),
  ].join('\n')
}

function howEnded({ exitCode, reason, durationMs }: EndedCommand): string {
  const after = `after ${(durationMs / 1_000).toFixed(1)} s`
  if (reason === 'timeout') return `took too long and was ended ${after}`
  if (reason === 'out_of_memory') return `needed more memory than there is, ${after}`
  if (reason === 'sandbox_lost') return `was lost with its sandbox ${after}`
  return exitCode === null ? `was killed ${after}` : `ended with exit code ${exitCode} ${after}`
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
const inline = (text: string) =>
  `\`${shorten(text.trim().replaceAll(/\s+/g, ' ').replaceAll('`', "'"), characters.command)}\``
