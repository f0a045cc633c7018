const ESCAPE_SEQUENCES = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)', // titles and links
    '\\u001b[P^_][^\\u001b]*\\u001b\\\\', // device strings
    '\\u001b\\[[0-?]*[ -/]*[@-~]', // colours, cursor
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
)
const CONTROL = /(?![\n\t])\p{Cc}/gu

/** What a person would have read on a terminal: no colours, progress lines as they ended, control characters shown. */
export function cleanOutput(text: string): string {
  return text
    .toWellFormed()
    .replace(ESCAPE_SEQUENCES, '')
    .replace(/\r+\n?/g, (ends) => (ends.endsWith('\n') ? '\n' : ends))
    .replace(/^.*\r/gm, (line, at: number, all: string) => (at + line.length === all.length ? line : ''))
    .replace(/\r$/gm, '')
    .replace(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
