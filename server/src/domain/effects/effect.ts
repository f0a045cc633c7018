import type { JsonObject } from '#base/json.ts'

/** Something that a run does outside: a push, a pull request. */
export type Effect = {
  key: string
  kind: 'push' | 'pull'
  state: 'intended' | 'done' | 'refused'
  request: JsonObject
  result: JsonObject | null
}
