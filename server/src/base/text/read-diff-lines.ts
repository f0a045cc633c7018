/** The lines of a file that a diff shows, changed or around a change, as they were and as they are. */
export type ShownLines = { base: Set<number>; head: Set<number> }

/** What a unified diff of git shows, by path: that of the file as it is, or of a removed one as it was. */
export function readDiffLines(diff: string): Map<string, ShownLines> {
  const files = new Map<string, ShownLines>()
  let names = { base: '', head: '' }
  let shown: ShownLines | undefined
  let [base, head, baseLeft, headLeft] = [0, 0, 0, 0]
  for (const line of diff.split('\n')) {
    if (baseLeft > 0 || headLeft > 0) {
      const mark = line[0]
      if (mark === undefined || mark === '\\') continue
      if (mark !== '+') {
        shown?.base.add(base++)
        baseLeft--
      }
      if (mark !== '-') {
        shown?.head.add(head++)
        headLeft--
      }
      continue
    }
    if (line.startsWith('diff --git ')) shown = undefined
    else if (line.startsWith('--- ')) names = { base: nameIn(line), head: '' }
    else if (line.startsWith('+++ ')) {
      names.head = nameIn(line)
      shown = { base: new Set(), head: new Set() }
      files.set(names.head || names.base, shown)
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!hunk) continue
    ;[base, baseLeft, head, headLeft] = [hunk[1], hunk[2] ?? '1', hunk[3], hunk[4] ?? '1'].map(Number) as Four
  }
  return files
}

type Four = [number, number, number, number]

/** The name in a line that begins with `--- ` or `+++ `. Empty where there is none: `/dev/null`. */
export function nameIn(line: string): string {
  const written = line.slice(4).replace(/\t$/, '')
  const name = written.startsWith('"') ? unquote(written.slice(1, -1)) : written
  return name === '/dev/null' ? '' : name.slice(2)
}

const escapes: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

/** Git writes bytes beyond ASCII as octal numbers. */
function unquote(text: string): string {
  const bytes = [...text.matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gsu)].map(([, octal, escaped, plain]) =>
    octal ? Buffer.from([Number.parseInt(octal, 8)]) : Buffer.from(plain ?? escapes[escaped ?? ''] ?? escaped ?? ''),
  )
  return Buffer.concat(bytes).toString()
}
