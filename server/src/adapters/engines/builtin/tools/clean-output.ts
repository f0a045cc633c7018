import { stripEscapes } from '#base/text/strip-escapes.ts'

const CONTROL = /(?![\n\t])\p{Cc}/gu

/** What a person would have read on a terminal: no colours, progress lines as they ended, control characters shown. */
export function cleanOutput(text: string): string {
  return stripEscapes(text.toWellFormed())
    .replace(/\r+\n?/g, (ends) => (ends.endsWith('\n') ? '\n' : ends))
    .replace(/^.*\r/gm, (line, at: number, all: string) => (at + line.length === all.length ? line : ''))
    .replace(/\r$/gm, '')
    .replace(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
