const sequences = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)', // titles and links
    '\\u001b[P^_][^\\u001b]*\\u001b\\\\', // device strings
    '\\u001b\\[[0-?]*[ -/]*[@-~]', // colours, cursor
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
)

/** A text without what a terminal obeys. Each sequence ends where the next one begins, so that none is looked for twice. */
export function stripEscapes(text: string): string {
  return text.replace(sequences, '')
}
