import { posix } from 'node:path'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { matchGlob } from './match-glob.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { cleanOutput } from './tools/clean-output.ts'
import { runInside } from './tools/run-inside.ts'

/** Rules of the repository as they are given to a model. */
export type Rule = { path: string; text: string }

/** What is known of a repository's rules. Only `given` follows from stored steps; the rest is looked up again by another worker. */
export type RuleBook = {
  /** Characters of each that the model has been given. */
  given: Map<string, number>
  looked: Set<string>
  /** Those that hold only for some files, none of which was touched yet. */
  waiting: (Rule & { globs: string[] })[]
}

const LOOK_MS = 20_000
const FILE_BYTES_MAX = 1024 * 1024
const FILES_MAX = 50
const FOLDERS_MAX = 20
/** Of all that a run is given; its first message holds no more than the other one. */
const CHARACTERS_MAX = 40_000
export const OPENING_CHARACTERS_MAX = 25_000

/** The rule files in these folders ($@), each with a NUL at its end. What git ignores is not of the project: packages bring such files too. */
const SCRIPT = String.raw`
for folder in "$@"; do
  [ "$folder" != . ] && git check-ignore -q -- "$folder" 2>/dev/null && continue
  for file in "$folder"/AGENTS.md "$folder"/CLAUDE.md "$folder"/GEMINI.md "$folder"/.github/copilot-instructions.md \
    "$folder"/.cursor/rules/*.mdc "$folder"/.cursor/rules/*.md; do
    [ -f "$file" ] && printf '%s\0' "$file"
  done
done
exit 0
`

export type FindRules = {
  sandbox: Sandbox
  signal: AbortSignal
  book: RuleBook
  /** Relative to the workspace; `.` is its top. */
  folders: string[]
  /** What the agent has before it; null: nothing yet. */
  touched: string | null
  charactersMax?: number
}

/** Rules that hold now and were not given yet. They count as given from here on. */
export async function findRules({
  book,
  touched,
  charactersMax = CHARACTERS_MAX,
  ...look
}: FindRules): Promise<Rule[]> {
  const fresh = look.folders.slice(0, FOLDERS_MAX).filter((folder) => !book.looked.has(folder))
  for (const folder of fresh) book.looked.add(folder)
  const read = fresh.length > 0 ? await readRules({ ...look, folders: fresh }) : []
  book.waiting.push(...read)
  const holds = ({ globs }: { globs: string[] }) =>
    globs.length === 0 || (touched !== null && globs.some((glob) => matchGlob(glob, touched)))
  const found = book.waiting.filter(holds)
  book.waiting = book.waiting.filter((rule) => !found.includes(rule))
  let left = charactersMax - [...book.given.values()].reduce((sum, characters) => sum + characters, 0)
  return found.flatMap(({ path, text }, index) => {
    const isRepeated = found.slice(0, index).some((other) => other.text.includes(text))
    if (book.given.has(path) || isRepeated || left <= 0) return []
    const shown = text.slice(0, left).toWellFormed()
    left -= shown.length
    book.given.set(path, shown.length)
    const cut = shown.length < text.length ? `\n[… ${text.length - shown.length} characters left out]` : ''
    return [{ path, text: `${shown}${cut}` }]
  })
}

async function readRules({ sandbox, signal, folders }: Pick<FindRules, 'sandbox' | 'signal' | 'folders'>) {
  const argv = ['bash', '-c', SCRIPT, 'rules', ...folders]
  const { stdout } = await runInside({ sandbox, signal }, { argv, timeoutMs: LOOK_MS, outputBytesMax: 64 * 1024 })
  const paths = stdout.toString('utf8').split('\0').slice(0, -1).slice(0, FILES_MAX)
  const rules = await Promise.all(
    paths.map(async (written) => {
      const path = posix.normalize(written)
      const bytes = await sandbox
        .readFile(`${sandbox.paths.workspace}/${path}`, { bytesMax: FILE_BYTES_MAX })
        // None that can be read is no reason to stop.
        .catch(() => null)
      return bytes === null ? null : ruleOf(path, cleanOutput(bytes.toString('utf8')).trim())
    }),
  )
  return rules.filter((rule) => rule !== null)
}

function ruleOf(path: string, text: string): (Rule & { globs: string[] }) | null {
  const cursor = path.lastIndexOf('.cursor/rules/')
  if (cursor < 0) return text === '' ? null : { path, text, globs: [] }
  const { fields, body } = readFrontMatter(text)
  if (body === '') return null
  if (fields.get('alwaysApply')?.[0] === 'true' || !text.startsWith('---')) return { path, text: body, globs: [] }
  const globs = (fields.get('globs') ?? []).flatMap(globsIn)
  const folder = path.slice(0, cursor)
  const own = globs.filter(Boolean).map((glob) => (glob.includes('/') ? folder + glob : `${folder}**/${glob}`))
  // One that has neither is for people to name.
  return own.length > 0 ? { path, text: body, globs: own } : null
}

/** They stand between commas; those within braces part none. */
function globsIn(words: string): string[] {
  let depth = 0
  const globs = ['']
  for (const character of words) {
    depth += character === '{' ? 1 : character === '}' ? -1 : 0
    if (character === ',' && depth === 0) globs.push('')
    else globs.push(`${globs.pop()}${character}`)
  }
  return globs.map((glob) => glob.trim())
}
