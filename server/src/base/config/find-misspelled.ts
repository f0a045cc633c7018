import type { Environment } from './open-reader.ts'

const prefix = 'RUNWRIGHT_'
/** Names that differ by more are other names. */
const editsMax = 2

/** The same environment, which keeps the names that were asked for. */
export function watchNames(env: Environment): { env: Environment; asked: Set<string> } {
  const asked = new Set<string>()
  const watched = new Proxy(env, {
    get: (target, name: string) => {
      asked.add(name)
      return target[name]
    },
  })
  return { env: watched, asked }
}

/** A sentence for each variable that nobody asks for and that is nearly the name of a setting. */
export function findMisspelled(env: Environment, asked: ReadonlySet<string>): string[] {
  const settings = [...asked].filter((name) => name.startsWith(prefix))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !asked.has(name) && name.length < 100)
    .flatMap((name) => {
      const meant = settings
        .map((setting) => ({ setting, edits: editsBetween(name, setting) }))
        .sort((one, other) => one.edits - other.edits)[0]
      if (!meant || meant.edits > editsMax) return []
      return [`${name} is not a setting and is ignored. Did you mean ${meant.setting}?`]
    })
}

/** How many letters must be changed, added or left out. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, request] of [...other].entries())
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (letter === request ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
