import { stripEscapes } from '#base/text/strip-escapes.ts'

/** Beyond it a line says nothing more of a failure, and only costs time. */
const lineCharactersMax = 2_000

// As GitHub and GitLab write before each line.
const stamp = /^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z (?:\d\d[OE][+ ]?)?/

/** The lines of a log as a person reads them: without colours, times before each line, and what a progress bar overwrote. */
export function logLines(log: string): string[] {
  return stripEscapes(log)
    .split(/\r?\n/)
    .map((line) => {
      const shown = line.slice(line.lastIndexOf('\r') + 1)
      return shown.replace(stamp, '').slice(0, lineCharactersMax)
    })
}
