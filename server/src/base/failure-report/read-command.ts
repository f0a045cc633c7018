export type FailedCommand = {
  /** As somebody would type it; null where the log does not say. */
  command: string | null
  exitCode: number | null
}

/** How commands announce themselves: what a package's script runs, a shell's trace, a step. */
const announced = [
  /^npm (?:ERR!|error) command (?:sh -c )?(.+)$/,
  /^\+ (\S.*)$/,
  /^\$ (\S.*)$/,
  /^(?:##\[group\])?Run (\S.*)$/,
  /^\[command\](\S.*)$/,
]

const ends = [
  /Process completed with exit code (\d+)/,
  /[Cc]ommand failed with exit code (\d+)/,
  /exited with (?:exit )?(?:code|status) (\d+)/,
  /^npm (?:ERR!|error) (?:errno|code) (\d+)$/,
  /^make(?:\[\d+\])?: \*\*\* .* Error (\d+)$/,
  /\(exit (?:status|code): (\d+)\)/,
  /\bexit (?:status|code) (\d+)\b/,
]

/** The last command that had begun when the first error came, and the exit code that the log ends with. */
export function readCommand(lines: readonly string[], firstError: number): FailedCommand {
  return { command: lastCommand(lines.slice(0, firstError + 1)) ?? lastCommand(lines), exitCode: lastExitCode(lines) }
}

function lastCommand(lines: readonly string[]): string | null {
  const last = lines.findLastIndex((_, at) => announcedAt(lines, at) !== null)
  return announcedAt(lines, last)
}

function announcedAt(lines: readonly string[], at: number): string | null {
  const line = lines[at] ?? ''
  // Below the name of a script; elsewhere the sign is that of a quotation.
  const script = /^> @?[^\s@]+@\S+ \S/.test(lines[at - 1] ?? '') ? /^> (.+)$/.exec(line) : null
  const found = script ?? announced.map((form) => form.exec(line)).find((match) => match !== null)
  return found?.[1]?.trim() ?? null
}

function lastExitCode(lines: readonly string[]): number | null {
  for (const line of lines.toReversed())
    for (const form of ends) {
      const digits = form.exec(line)?.[1]
      if (digits !== undefined) return Number(digits)
    }
  return null
}
