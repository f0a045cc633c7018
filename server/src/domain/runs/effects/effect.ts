import type { JsonObject } from '#base/json.ts'

/** Something that a run does outside: a push, a pull request. */
export type Effect = {
  key: string
  kind: 'push' | 'pull' | 'review'
  state: 'intended' | 'done' | 'refused'
  request: JsonObject
  result: JsonObject | null
}

/**
 * What the end of a turn pushes is the same push however often it is tried: the commit's date is fixed. After pushes of the
 * agent itself it may be to move the branch back to where it was before.
 */
export const pushKey = (branch: string, commit: string, agentPushes: number) =>
  `push:${branch}:${commit}${agentPushes ? `:${agentPushes}` : ''}`

/** One pull request for a branch, and one more after each that has ended. */
export const pullKey = (branch: string, endedPullId?: number) =>
  `pull:${branch}${endedPullId === undefined ? '' : `:${endedPullId}`}`
