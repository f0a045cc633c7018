/** A text as a block of code in Markdown, whatever fences it holds itself. `language`: what it is, such as `js`. */
export function fenceText(text: string, language = ''): string {
  let longest = 0
  let run = 0
  for (const character of text) {
    run = character === '`' ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  const fence = '`'.repeat(Math.max(3, longest + 1))
  const lines = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${fence}${language}\n${lines}${fence}`
}
