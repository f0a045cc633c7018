export type Shift = { apply(line: string): string }

/** By how much all lines that hold text are indented more, or less, than wanted; null when not all by the same. */
export function shiftOf(request: string[], found: string[]): Shift | null {
  let added: string | null = null
  let taken: string | null = null
  for (const [index, line] of request.entries()) {
    if (line.trim() === '') continue
    const wantIndent = indentOf(line)
    const haveIndent = indentOf(found[index] ?? '')
    if (haveIndent.endsWith(wantIndent)) {
      const more = haveIndent.slice(0, haveIndent.length - wantIndent.length)
      if ((added ?? more) !== more || taken) return null
      added = more
    } else if (wantIndent.endsWith(haveIndent)) {
      const less = wantIndent.slice(0, wantIndent.length - haveIndent.length)
      if ((taken ?? less) !== less || added) return null
      taken = less
    } else return null
  }
  return { apply: (line) => shiftLine(line, added ?? '', taken ?? '') }
}

function shiftLine(line: string, added: string, taken: string): string {
  if (line.trim() === '') return line
  return taken && line.startsWith(taken) ? line.slice(taken.length) : added + line
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? ''
}

/** A line by which it is compared: without spaces at its end, with straight quotes. */
export function normalLine(line: string): string {
  return line
    .trimEnd()
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
}
