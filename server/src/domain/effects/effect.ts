import type { JsonObject } from '#base/json.ts'

/** Something that a run does outside: a push, a pull request. */
export type Effect = {
  key: string
  kind: 'push' | 'pull'
  state: 'intended' | 'done' | 'refused'
  request: JsonObject
  result: JsonObject | null
}

/** A push is the same push however often it is tried: the commit's date is fixed. */
export const pushKey = (branch: string, commit: string) => `push:${branch}:${commit}`
