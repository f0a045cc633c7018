import path from 'node:path'
import type { TestResult } from './suite.ts'

/** After the name of a file, as the languages write where an error was. */
const AT_LINE = /^(?::|", line )(\d{1,7})/

/** How far a failing test came: the lines of its own file that its error names, from the test inwards. */
export function linesReached({ file, error }: Pick<TestResult, 'file' | 'error'>): number[] {
  const [, ...pieces] = (error ?? '').split(path.posix.basename(file))
  const lines = pieces.flatMap((piece) => Number(AT_LINE.exec(piece)?.[1] ?? []))
  // Python names the innermost call last, Go what failed first.
  return /\.(py|go)$/.test(file) ? lines : lines.reverse()
}

/** Whether a test came further in the text. Of two that failed in other calls it cannot be said. */
export function isFurther(lines: number[], before: number[]): boolean {
  const at = lines.findIndex((line, index) => line !== before[index])
  return at >= 0 && at < before.length && lines[at]! > before[at]!
}
