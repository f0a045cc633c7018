import { probeLimits } from './findings.ts'

/** A text's lines, each in its place; one that is too long to be anything that people wrote is empty. */
export function shortLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => (line.length > probeLimits.commandCharactersMax ? '' : line))
}
