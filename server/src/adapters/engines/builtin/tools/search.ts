import { z } from 'zod'
import { cleanOutput } from './clean-output.ts'
import { resolvePath } from './resolve-path.ts'
import { runInside } from './run-inside.ts'
import { defineTool, ToolFailure, type ToolResult } from './tool.ts'
import { shorten } from '#base/text/shorten.ts'

const MATCHES_MAX = 100
const LINE_CHARACTERS_MAX = 300
const TIME_MS = 20_000
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024

/**
 * ripgrep where the sandbox has it, else git's grep in a repository, else grep. The arguments are pattern, path, glob,
 * lines of context, and `files` or nothing. All three exit with 1 when nothing matches.
 */
const SCRIPT = String.raw`
pattern=$1 path=$2 glob=$3 context=$4 files=$5
[ -e "$path" ] || exit 3
if command -v rg >/dev/null; then
  set -- --no-config --color=never --no-heading --hidden --glob '!.git' --sort path --max-columns 2000 -n -H -C "$context"
  case $glob in
    '') ;;
    !*) set -- "$@" --glob "$glob" ;;
    *) set -- "$@" --glob "**/$glob" ;;
  esac
  [ -n "$files" ] && set -- "$@" --files-with-matches
  exec rg "$@" -e "$pattern" -- "$path"
elif git rev-parse --git-dir >/dev/null 2>&1 && [ "$path" = . -o "$path" = "\${path#/}" ]; then
  set -- -nI --untracked --no-color -C "$context"
  [ -n "$files" ] && set -- "$@" -l
  spec=$path
  [ -n "$glob" ] && spec=":(glob)\${path%/}/**/$glob"
  spec=$(printf %s "$spec" | sed 's#^:(glob)\./#:(glob)#')
  dialect=-P
  git grep -qP x -- /dev/null >/dev/null 2>&1; [ $? -eq 128 ] && dialect=-E
  exec git grep "$@" $dialect -e "$pattern" -- "$spec"
fi
set -- -rnIHP --exclude-dir=.git --exclude-dir=node_modules -C "$context"
[ -n "$glob" ] && set -- "$@" --include="\${glob##*/}"
[ -n "$files" ] && set -- "$@" -l
exec grep "$@" -e "$pattern" -- "$path"
`.replaceAll('\\${', '${')

export const searchTool = defineTool({
  name: 'search',
  description: `Search file contents by regular expression, files ignored by git left out. At most ${MATCHES_MAX} matches are shown.`,
  schema: z.strictObject({
    pattern: z.string().min(1).describe('Regular expression'),
    path: z.string().optional().describe('File or folder to search in; the workspace when not given'),
    glob: z.string().optional().describe('Only files whose path fits, such as *.ts'),
    context: z.int().min(0).max(5).optional().describe('Lines to show around each match'),
    files_only: z.boolean().optional().describe('Only the names of the files that match'),
  }),
  isReadOnly: true,
  isFromOutside: true,
  async run({ pattern, path = '.', glob = '', context: lines = 0, files_only: filesOnly = false }, context) {
    const { shown } = resolvePath(context.sandbox.paths, path)
    const argv = ['bash', '-c', SCRIPT, 'search', pattern, shown, glob, String(lines), filesOnly ? 'files' : '']
    const result = await runInside(context, { argv, timeoutMs: TIME_MS, outputBytesMax: OUTPUT_BYTES_MAX })
    if (result.exitCode === 3) throw new ToolFailure(`There is no file or folder ${shown}. Find it with list.`)
    if (result.reason === 'timeout') {
      throw new ToolFailure(`The search took longer than ${TIME_MS / 1000} s. Narrow it with path or glob.`, {
        timed_out: true,
      })
    }
    const output = cleanOutput(result.stdout.toString('utf8'))
    // ripgrep ends with 2 after any unreadable file, its matches notwithstanding.
    if (result.exitCode !== 0 && result.exitCode !== 1 && output === '') {
      const reason = cleanOutput(result.stderr.toString('utf8')).trim().slice(0, 500)
      throw new ToolFailure(`The search failed: ${reason}\nCheck the pattern (a regular expression) and the path.`)
    }
    return filesOnly ? describeFiles(output) : describeMatches(output)
  },
})

function describeFiles(output: string): ToolResult {
  const files = linesIn(output).map(withoutDot)
  const more = files.length > MATCHES_MAX ? `\n[${files.length - MATCHES_MAX} more files: narrow the pattern]` : ''
  return {
    text: files.length === 0 ? 'no match' : files.slice(0, MATCHES_MAX).join('\n') + more,
    output: { files: files.length, matches: null },
  }
}

function describeMatches(output: string): ToolResult {
  const shown: string[] = []
  const files = new Set<string>()
  const filesLeftOut = new Set<string>()
  let matches = 0
  for (const line of linesIn(output)) {
    const match = /^(.+?):(\d+):/s.exec(line)
    if (match) {
      matches++
      const file = withoutDot(match[1] ?? '')
      files.add(file)
      if (matches <= MATCHES_MAX)
        shown.push(`${file}:${match[2]}: ${shorten(line.slice(match[0].length), LINE_CHARACTERS_MAX)}`)
      else filesLeftOut.add(file)
    } else if (matches <= MATCHES_MAX) shown.push(shorten(withoutDot(line), LINE_CHARACTERS_MAX))
  }
  const more = matches - MATCHES_MAX
  const trailer = more > 0 ? `\n[${more} more matches in ${filesLeftOut.size} files: narrow the pattern]` : ''
  return { text: matches === 0 ? 'no match' : shown.join('\n') + trailer, output: { matches, files: files.size } }
}

function linesIn(output: string): string[] {
  return output.split('\n').filter((line) => line !== '')
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path
}
