import type { Answer } from '#adapters/engines/engine.ts'
import { isWhole, type Attempt, type Tried } from './attempt.ts'
import type { Look } from './look-inside.ts'

const tailLinesMax = 12

/** What is proposed: for people, and as data in the last block. */
export function writeAnswer({ findings, commit }: Look, attempt: Attempt, note: string): Answer {
  const { plan, install, tests } = attempt
  const test = isWhole(attempt) ? tests.at(-1)!.command : null
  const failed = tests.filter(({ exit_code }) => exit_code !== 0)
  const toolLines = findings.tools.map(({ name, version, why }) => `${name} ${version} (${why.path})`)
  const notes = [
    note,
    `Found in ${plan.from}.`,
    ...(test === null ? ['No test passes.'] : []),
    ...failed.map(({ command, exit_code }) => `\`${command}\` does not pass (exit code ${exit_code}).`),
    ...(toolLines.length ? [`The repository asks for ${toolLines.join(', ')}.`] : []),
    ...findings.notes,
  ]
  const data = {
    install: plan.install,
    test,
    notes: notes.filter(Boolean).join('\n'),
    evidence: [...install, ...tests],
    lockfiles: findings.lockfiles,
    base_commit: commit,
  }
  const at = commit ? ` at ${commit.slice(0, 12)}` : ''
  const answer = [
    plan.install.length
      ? `Set up by:\n\n\`\`\`bash\n${plan.install.join('\n')}\n\`\`\``
      : 'Nothing needs to be set up.',
    test === null ? 'No test command passes.' : `Tested by \`${test}\`.`,
    `Tried from a clean work tree${at}:\n\n${tableOf(data.evidence)}`,
    data.notes,
    `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\``,
  ]
  const summary = `${plan.install.join('; ') || 'Nothing to install'}${test === null ? '' : `; tested by ${test}`}`
  return { answer: answer.join('\n\n'), summary }
}

/** What was tried, as a table of Markdown. */
export function tableOf(tried: Tried[]): string {
  const rows = tried.map(
    ({ command, exit_code, duration_ms }) =>
      `| \`${command.replaceAll('|', '\\|').replaceAll('\n', ' ')}\` | ${exit_code ?? 'ended'} | ${(duration_ms / 1_000).toFixed(1)} s |`,
  )
  return ['| Command | Exit code | Time |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Why an attempt is no proposal, in short: its last command and the end of what that said. */
export function describeAttempt({ plan, install, tests }: Attempt): string {
  const last = [...install, ...tests].at(-1)
  if (!last) return `${plan.from}: nothing to run`
  const lines = last.tail.split('\n').slice(-tailLinesMax)
  const why = /cannot be reached from here|not_allowed/.test(last.tail)
    ? '\n  It was refused the network: what it needs can be allowed in the egress settings.'
    : ''
  return `\`${last.command}\` ended with exit code ${last.exit_code} (${plan.from}):\n  ${lines.join('\n  ')}${why}`
}
