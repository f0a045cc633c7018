import { z } from 'zod'
import type { ExecResult } from '#adapters/sandboxes/sandbox.ts'
import { shorten } from '#base/text/shorten.ts'
import { cleanOutput } from './clean-output.ts'
import { resolvePath } from './resolve-path.ts'
import { runInside } from './run-inside.ts'
import { defineTool, ToolFailure, type ToolResult } from './tool.ts'

const MATCHES_MAX = 100
const LINE_CHARACTERS_MAX = 300
const TIME_MS = 20_000
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024

/**
 * ripgrep ($1) in a path ($2) with its options. A folder that is named is searched though git ignores it, or all that is in it:
 * whoever names it knows that. Files that are named it searches in any case.
 */
const SCRIPT = String.raw`
rg=$1 path=$2
shift 2
[ -e "$path" ] || exit 3
if [ -d "$path" ] && [ "$path" != . ]; then
  if git check-ignore -q -- "$path" 2>/dev/null || ! "$rg" --no-config --files --hidden -q -- "$path" 2>/dev/null; then
    set -- --no-ignore "$@"
  fi
fi
exec "$rg" "$@" -- "$path"
`

export const searchTool = defineTool({
  name: 'search',
  description:
    'Search file contents with ripgrep, hidden files too, files ignored by git left out unless path names them. ' +
    `At most ${MATCHES_MAX} matches are shown.`,
  schema: z.strictObject({
    pattern: z
      .string()
      .min(1)
      .describe('Regular expression as ripgrep takes it, lookaround too; a \\n in it matches across lines'),
    path: z.string().optional().describe('File or folder to search in; the workspace when not given'),
    glob: z.string().optional().describe('Only files that fit, as ripgrep -g: *.{js,ts}, src/**/*.py, !*.min.js'),
    context: z.int().min(0).max(5).optional().describe('Lines to show around each match'),
    files_only: z.boolean().optional().describe('Only the names of the files that match'),
  }),
  isReadOnly: true,
  isFromOutside: true,
  async run({ pattern, path = '.', glob = '', context: lines = 0, files_only: filesOnly = false }, context) {
    const { paths } = context.sandbox
    if (paths.ripgrep === null) throw new ToolFailure('There is no ripgrep for this machine. Use grep in shell.')
    if (/\0/.test(pattern + glob)) throw new ToolFailure('There is a NUL character in the pattern or the glob.')
    const { shown } = resolvePath(paths, path)
    // A path of one dash is the standard input.
    const argv = ['bash', '-c', SCRIPT, 'search', paths.ripgrep, shown === '-' ? './-' : shown]
    const options = optionsFor({ pattern, glob, lines, filesOnly })
    const result = await runInside(context, {
      argv: [...argv, ...options],
      timeoutMs: TIME_MS,
      outputBytesMax: OUTPUT_BYTES_MAX,
    })
    if (result.exitCode === 3) throw new ToolFailure(`There is no file or folder ${shown}. Find it with list.`)
    if (result.reason === 'timeout') {
      throw new ToolFailure(`The search took longer than ${TIME_MS / 1000} s. Narrow it with path or glob.`, {
        timed_out: true,
      })
    }
    // ripgrep ends with 2 after any unreadable file, its matches notwithstanding.
    if (result.exitCode !== 0 && result.exitCode !== 1 && result.stdout.length === 0)
      throw new ToolFailure(explainFailure(result, pattern))
    const found = filesOnly ? describeFiles(result) : describeMatches(result)
    if (result.stdout.length > 0) return found
    // A glob with a folder in it begins at the workspace, which is easily forgotten.
    const isAnchored = /^[^!*/][^/]*\//.test(glob)
    return isAnchored
      ? { ...found, text: `no match; the glob begins at the workspace, **/${glob} fits anywhere` }
      : found
  },
})

type Options = { pattern: string; glob: string; lines: number; filesOnly: boolean }

function optionsFor({ pattern, glob, lines, filesOnly }: Options): string[] {
  return [
    ['--no-config', '--color=never', '--no-heading', '--hidden', '--sort', 'path', '--engine', 'auto', '--null'],
    ['--max-columns', '2000', '--max-columns-preview', '-n', '-H', '-C', String(lines)],
    glob ? ['--glob', glob] : [],
    // The last one that fits decides.
    ['--glob', '!.git'],
    /\n|\\n/.test(pattern) ? ['--multiline'] : [],
    filesOnly ? ['--files-with-matches'] : [],
    ['-e', pattern],
  ].flat()
}

/** What ripgrep says over many lines, in one sentence. */
function explainFailure({ stderr }: ExecResult, pattern: string): string {
  const message = cleanOutput(stderr.toString('utf8')).replace(/^rg: /, '').trim()
  const own = /^error: (.+)$/m.exec(message)?.[1]
  const perl = /^PCRE2: .*? at offset \d+: (.+)$/m.exec(message)?.[1]
  const reason = own?.includes('not supported') ? (perl ?? own) : (own ?? perl)
  if (reason)
    return `The pattern ${shorten(pattern, 200)} is no regular expression: ${reason}. Put a backslash before what is meant literally.`
  if (message.startsWith('error parsing glob')) return `The glob cannot be used: ${shorten(message, 500)}.`
  return `The search failed: ${shorten(message.replaceAll('\n', ' '), 500)}`
}

function describeFiles({ stdout, cutBytes }: ExecResult): ToolResult {
  const files = stdout.toString('utf8').split('\0').slice(0, -1).map(nameOf)
  const more = files.length - MATCHES_MAX
  const trailer = more > 0 ? `\n[${more}${orMore(cutBytes)} more files: narrow the pattern]` : ''
  return {
    text: files.length === 0 ? 'no match' : files.slice(0, MATCHES_MAX).join('\n') + trailer,
    output: { files: files.length, matches: null },
  }
}

function describeMatches({ stdout, cutBytes }: ExecResult): ToolResult {
  const shown: string[] = []
  const files = new Set<string>()
  const filesLeftOut = new Set<string>()
  let matches = 0
  for (const line of stdout.toString('utf8').split('\n')) {
    if (line === '') continue
    const [, path, number, kind, text = ''] = /^([^\0]+)\0(\d+)([:-])(.*)$/s.exec(line) ?? []
    // Of a binary file it says only that it matches.
    const binary = path === undefined ? /^(.+?): binary file matches/.exec(line)?.[1] : undefined
    const file = nameOf(path ?? binary ?? '')
    if (kind === ':' || binary !== undefined) {
      matches++
      ;(matches <= MATCHES_MAX ? files : filesLeftOut).add(file)
    }
    if (matches > MATCHES_MAX) continue
    if (path === undefined) shown.push(shorten(cleanOutput(line), LINE_CHARACTERS_MAX))
    else
      shown.push(
        `${file}${kind}${number}${kind}${kind === ':' ? ' ' : ''}${shorten(lineOf(text), LINE_CHARACTERS_MAX)}`,
      )
  }
  const more = matches - MATCHES_MAX
  const trailer =
    more > 0 ? `\n[${more}${orMore(cutBytes)} more matches in ${filesLeftOut.size} files: narrow the pattern]` : ''
  return {
    text: matches === 0 ? 'no match' : shown.join('\n') + trailer,
    output: { matches, files: files.union(filesLeftOut).size },
  }
}

const orMore = (cutBytes: number) => (cutBytes > 0 ? ' or' : '')

/** Without the carriage returns that would hide what stands before them. */
function lineOf(text: string): string {
  return cleanOutput(text.replace(/\r$/, '').replaceAll('\r', '␍'))
}

function nameOf(path: string): string {
  return cleanOutput(path.startsWith('./') ? path.slice(2) : path)
}
