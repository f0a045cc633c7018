/** What the last fenced block of a text holds; '' where there is none that an opening line such as "```json" begins. */
export function lastFencedBlock(text: string, openings: readonly string[]): string {
  let last = ''
  let inside: string[] | undefined
  for (const line of text.split('\n')) {
    if (inside && line.startsWith('```')) {
      last = inside.join('\n')
      inside = undefined
    } else if (inside) inside.push(line)
    else if (openings.some((opening) => line.trimEnd().endsWith(opening))) inside = []
  }
  return last
}
