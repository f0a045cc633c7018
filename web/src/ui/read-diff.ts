import { markWords, type Mark } from './mark-words.ts'

export type DiffLine = {
  sign: ' ' | '+' | '-'
  text: string
  before: number | null
  after: number | null
  mark: Mark | null
  /** It is shown around a change because somebody wanted to see more. */
  isExtra?: boolean
}
/** Lines of the file as it is now that are not shown, up to the end where `to` is null. */
export type Gap = { from: number; to: number | null }
/** `before`, `after`: the numbers that it begins with. `gap`: what may be shown above it. `isAfterCut`: what changed there is not known. */
export type Hunk = {
  title: string
  before: number
  after: number
  lines: DiffLine[]
  gap?: Gap | undefined
  isAfterCut?: boolean
}
/** `pathBefore` is another one where the file was renamed. */
export type DiffFile = {
  path: string
  pathBefore: string
  added: number
  removed: number
  isBinary: boolean
  /** The diff ends in the middle of it. */
  isCut: boolean
  hunks: Hunk[]
}

/** A unified diff, file by file; of a bare hunk, one file without a name. */
export function readDiff(text: string): DiffFile[] {
  const files: DiffFile[] = []
  let hunk: Hunk | undefined
  let [before, after] = [0, 0]
  const file = () => files.at(-1) ?? addFile(files, '')
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const opening = readOpening(line)
    const range = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line)
    if (opening) {
      addFile(files, opening.after, opening.before)
      hunk = undefined
    } else if (range) {
      ;[before, after] = [Number(range[1]), Number(range[2])]
      file().hunks.push((hunk = { title: range[3]!, before, after, lines: [] }))
    } else if (!hunk) readHead(line, files)
    else if (line.startsWith('+')) {
      hunk.lines.push({ sign: '+', text: line.slice(1), before: null, after: after++, mark: null })
      file().added++
    } else if (line.startsWith('-')) {
      hunk.lines.push({ sign: '-', text: line.slice(1), before: before++, after: null, mark: null })
      file().removed++
    } else if (!line.startsWith('\\')) {
      if (line.startsWith('[cut: ')) file().isCut = true
      else hunk.lines.push({ sign: ' ', text: line.slice(1), before: before++, after: after++, mark: null })
    }
  }
  for (const { hunks } of files) for (const { lines } of hunks) markWords(lines)
  return files
}

const opens = 'diff --git a/'

/** The file's two names. */
function readOpening(line: string): { before: string; after: string } | undefined {
  const between = line.lastIndexOf(' b/')
  if (!line.startsWith(opens) || between < opens.length) return undefined
  return { before: line.slice(opens.length, between), after: line.slice(between + ' b/'.length) }
}

function addFile(files: DiffFile[], path: string, pathBefore = path): DiffFile {
  const file = { path, pathBefore, added: 0, removed: 0, isBinary: false, isCut: false, hunks: [] }
  files.push(file)
  return file
}

/** The lines between a file's name and its first hunk; in a diff that does not say `diff --git`, they name the file. */
function readHead(line: string, files: DiffFile[]): void {
  const named = /^\+\+\+ (?:b\/)?(.*)$/.exec(line)?.[1]
  if (named && named !== '/dev/null' && !files.at(-1)?.path) {
    const file = files.at(-1)
    if (file) file.path = named
    else addFile(files, named)
  }
  if (line.startsWith('Binary files') && files.length) files.at(-1)!.isBinary = true
}
