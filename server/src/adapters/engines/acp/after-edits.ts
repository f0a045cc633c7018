import type { HookResult } from '#adapters/engines/builtin/add-hooks.ts'
import { hookStepKey, hooksOf, runEditHook } from '#adapters/engines/builtin/run-hooks.ts'
import { runInside } from '#adapters/engines/builtin/tools/run-inside.ts'
import type { Turn } from '#adapters/engines/engine.ts'
import { markForeign } from '#base/text/mark-foreign.ts'
import { contextOf } from './own-tools/own-tools.ts'

const PATH_CHARACTERS_MAX = 1_000
const LOOK_MS = 20_000
/** As many paths as fit into the arguments of one command. */
const LOOK_PATHS_MAX = 500
const NAMED_MAX = 20
/** Of so many hooks that failed the agent reads what they have printed. */
const SHOWN_MAX = 10

/** What an agent has changed in a turn, by its calls, and the steps of hooks that were begun for it, and that are done. */
export type Edits = { calls: { key: string; paths: string[] }[]; begun: Set<string>; done: Set<string> }

/** Those of a turn that an earlier worker began, too. */
export function openEdits({ past, number }: Pick<Turn, 'past' | 'number'>): Edits {
  const edits: Edits = { calls: [], begun: new Set(), done: new Set() }
  for (const item of past) {
    if (item.type !== 'step' || item.turn !== number) continue
    const { key, response } = item.step
    const { edited } = (response ?? {}) as { edited?: unknown }
    if (Array.isArray(edited)) edits.calls.push({ key, paths: edited as string[] })
    if (/\/agent\/\d+\/hook\//.test(key)) edits[response === undefined ? 'begun' : 'done'].add(key)
  }
  return edits
}

type NoteEdits = { key: string; edited: readonly string[] }

/** Keeps which files a call has changed, and answers with those for which there is a hook, as seen from the workspace. */
export function noteEdits(turn: Turn, edits: Edits, { key, edited }: NoteEdits): string[] {
  const workspace = `${turn.sandbox.paths.workspace}/`
  const inside = edited.flatMap((path) => {
    const own = path.startsWith(workspace) ? path.slice(workspace.length) : path
    const isOutside = own.startsWith('/') || own.split('/').includes('..') || own.includes('\0')
    return isOutside || own === '' || own.length > PATH_CHARACTERS_MAX ? [] : [own]
  })
  const paths = [...new Set(inside)].filter((path) => hooksOf(turn, path).length > 0)
  if (paths.length > 0) edits.calls.push({ key, paths })
  return paths
}

type EditHook = { call: { key: string }; index: number; command: string; path: string }

/**
 * Runs the repository's hooks for what the agent has changed, once for each file, however often it was changed. An agent waits for nobody
 * between its tools, so this is when it has ended its turn. Null: it need not know of it.
 */
export async function runAfterEdits(
  turn: Turn,
  { edits, seal }: { edits: Edits; seal: string },
): Promise<{ words: string; hasFailed: boolean } | null> {
  const pending = hooksToRun(turn, edits)
  const there = await listThere(turn, [...new Set(pending.map(({ path }) => path))])
  const ran: { path: string; result: HookResult }[] = []
  for (const { call, index, command, path } of pending) {
    const key = hookStepKey(call, index)
    edits.done.add(key)
    if (!there.has(path) && !edits.begun.has(key)) continue
    const context = contextOf(turn, call.key)
    ran.push({ path, result: await runEditHook(turn, { call, index, command, path, context }) })
  }
  const words = wordsOf(ran)
  if (words === '') return null
  return {
    words: markForeign(words, { from: 'after_edit', seal }),
    hasFailed: ran.some(({ result }) => result.isFailed),
  }
}

/** Those of the last change of each file, and those that a lost worker has begun. */
function hooksToRun(turn: Turn, { calls, begun, done }: Edits): EditHook[] {
  const last = new Map(calls.flatMap(({ key, paths }) => paths.map((path) => [path, key] as const)))
  const perPath = turn.hooks?.afterEdit.length ?? 0
  return calls.flatMap((call) =>
    call.paths.flatMap((path, place) =>
      hooksOf(turn, path).flatMap(({ command }, n): EditHook[] => {
        const index = place * perPath + n
        const key = hookStepKey(call, index)
        const isWanted = !done.has(key) && (begun.has(key) || last.get(path) === call.key)
        return isWanted ? [{ call: { key: call.key }, index, command, path }] : []
      }),
    ),
  )
}

/** The files among these paths that are still there. */
async function listThere(turn: Turn, paths: readonly string[]): Promise<Set<string>> {
  const there = new Set<string>()
  for (let from = 0; from < paths.length; from += LOOK_PATHS_MAX) {
    const some = paths.slice(from, from + LOOK_PATHS_MAX)
    const shell = `for file do if [ -f "$file" ]; then printf '%s\\0' "$file"; fi; done`
    const { stdout } = await runInside(turn, { argv: ['sh', '-c', shell, 'sh', ...some], timeoutMs: LOOK_MS })
    for (const file of stdout.toString('utf8').split('\0')) there.add(file)
  }
  return there
}

/** Empty: the hooks have changed nothing, and none has failed. */
function wordsOf(ran: readonly { path: string; result: HookResult }[]): string {
  const changed = [...new Set(ran.flatMap(({ result }) => result.changed))]
  const failed = ran.filter(({ result }) => result.isFailed)
  if (changed.length + failed.length === 0) return ''
  const others = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : ''
  const lines = [
    `The repository's hook after_edit has run on files that you have changed.`,
    ...(changed.length > 0
      ? [`It changed ${changed.slice(0, NAMED_MAX).join(', ')}${others}: read what you edit next.`]
      : []),
    ...failed.slice(0, SHOWN_MAX).map(({ path, result }) => `It failed for ${path}:\n${result.text}`),
  ]
  if (failed.length > SHOWN_MAX) lines.push(`It failed ${failed.length - SHOWN_MAX} times more.`)
  return lines.join('\n')
}
