import { ToolFailure } from './tool.ts'

export type HunkLine = { kind: 'kept' | 'removed' | 'added'; text: string }
/** Lines that stand next to each other. `anchors` are lines above them, outermost first. */
export type Hunk = { anchors: string[]; lines: HunkLine[]; isAtEnd: boolean }
export type FilePatch =
  | { action: 'add'; path: string; content: string }
  | { action: 'delete'; path: string }
  | { action: 'update'; path: string; moveTo: string | null; hunks: Hunk[] }

/** Lines in their order; `next` is undefined behind the last one. */
type Lines = { readonly next: string | undefined; take(): string }

/** A patch of more lines is refused before anything is made of them: millions of lines keep the process for seconds. */
const LINES_MAX = 100_000

const HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/
const kinds: Record<string, HunkLine['kind']> = { ' ': 'kept', '-': 'removed', '+': 'added' }

/**
 * Reads a patch in the format that models of OpenAI are trained on. Rejects what is not in it with a `ToolFailure`.
 *
 * Source: https://github.com/openai/codex, `apply_patch_tool_instructions.md`.
 */
export function parsePatch(input: string): FilePatch[] {
  requireFewLines(input)
  const lines = unwrap(input).split('\n')
  if (lines.shift()?.trimEnd() !== '*** Begin Patch') throw new ToolFailure(wrong('begin with "*** Begin Patch"'))
  if (lines.pop()?.trimEnd() !== '*** End Patch') throw new ToolFailure(wrong('end with "*** End Patch"'))
  while (lines.at(-1)?.trim() === '') lines.pop()
  const patches: FilePatch[] = []
  const rest = linesOf(lines)
  while (rest.next !== undefined) patches.push(takeFile(rest))
  if (patches.length === 0) throw new ToolFailure('The patch changes no file.')
  return patches
}

function requireFewLines(input: string): void {
  let lines = 1
  for (let at = input.indexOf('\n'); at !== -1; at = input.indexOf('\n', at + 1))
    if (++lines > LINES_MAX) throw new ToolFailure(`The patch has more than ${LINES_MAX} lines. Send it in parts.`)
}

const wrong = (rule: string) => `The patch has to ${rule}.`

/** Without the shell command that some models put around it. */
function unwrap(input: string): string {
  const plain = input.replaceAll('\r\n', '\n').trim()
  const lines = plain.split('\n')
  return /^(?:apply_patch )?<<['"]?\w+['"]?$/.test(lines[0]!) ? lines.slice(1, -1).join('\n').trim() : plain
}

/** By index: to shift an array moves all that is left in it. */
function linesOf(lines: readonly string[]): Lines {
  let at = 0
  return {
    get next() {
      return lines[at]
    },
    take: () => lines[at++]!,
  }
}

/** Takes the part of one file off the beginning of the lines. */
function takeFile(lines: Lines): FilePatch {
  const header = lines.take()
  const [, action, name] = HEADER.exec(header.trimEnd()) ?? []
  if (!name) {
    throw new ToolFailure(
      `"${header.slice(0, 100)}" is no line of a patch: a file begins with "*** Add File: path", "*** Delete File: path" or "*** Update File: path".`,
    )
  }
  const path = name.trim()
  if (action === 'Delete') return { action: 'delete', path }
  if (action === 'Add') return { action: 'add', path, content: takeContent(lines, path) }
  const moveTo = /^\*\*\* Move to: (.+)$/.exec(lines.next ?? '')?.[1]?.trim() ?? null
  if (moveTo !== null) lines.take()
  const hunks: Hunk[] = []
  while (lines.next !== undefined && !/^\*\*\* (?!End of File)/.test(lines.next)) hunks.push(takeHunk(lines, path))
  if (hunks.length === 0 && moveTo === null)
    throw new ToolFailure(`The patch names ${path}, and changes nothing in it.`)
  return { action: 'update', path, moveTo, hunks }
}

function takeContent(lines: Lines, path: string): string {
  const content: string[] = []
  while (lines.next !== undefined && !HEADER.test(lines.next)) {
    const line = lines.take()
    if (!line.startsWith('+')) throw new ToolFailure(`Each line of the new file ${path} has to begin with "+".`)
    content.push(`${line.slice(1)}\n`)
  }
  return content.join('')
}

function takeHunk(lines: Lines, path: string): Hunk {
  const hunk: Hunk = { anchors: [], lines: [], isAtEnd: false }
  while (lines.next?.startsWith('@@')) {
    // Line numbers, as other formats have them, are guesses: what the lines say is where they stand.
    const anchor = lines.take().slice(2).replace(/^ /, '')
    if (anchor.trim() !== '' && !/^-\d+(?:,\d+)? \+\d+/.test(anchor)) hunk.anchors.push(anchor)
  }
  while (lines.next !== undefined && !/^(?:@@|\*\*\* )/.test(lines.next)) {
    const line = lines.take()
    // Empty lines often lose the space that they begin with.
    const kind = line === '' ? 'kept' : kinds[line[0]!]
    if (!kind) {
      throw new ToolFailure(
        `A line of the change to ${path} begins neither with a space, nor with "-" or "+": ${line.slice(0, 100)}`,
      )
    }
    hunk.lines.push({ kind, text: line.slice(1) })
  }
  if (lines.next?.trimEnd() === '*** End of File') {
    lines.take()
    hunk.isAtEnd = true
  }
  if (!hunk.lines.some(({ kind }) => kind !== 'kept')) {
    throw new ToolFailure(`A part of the change to ${path} has no line that begins with "-" or "+".`)
  }
  return hunk
}
