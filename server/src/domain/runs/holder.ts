import type { Json, JsonObject } from '#base/json.ts'

/** Who writes: the run, and the lease without which nothing is written. */
export type Holder = { organizationId: number; runId: number; turn: number; leaseId: string }

/** A step as it is stored. `response` is undefined while its outcome is not known. */
export type Step = {
  step: number
  turn: number
  key: string
  kind: 'model' | 'tool' | 'note' | 'ask'
  state: 'started' | 'done'
  leaseId: string
  request: JsonObject
  response: Json | undefined
  startedAt: Date
}

export const stepColumns = `step, turn, key, kind, state, lease_id, request, case when state = 'done' then response end as response, started_at`

/** Thrown where the next step would begin: the run is to be paused. */
export class PauseWanted extends Error {
  override readonly name = 'PauseWanted'
}

/** Thrown by every verb of a worker when its lease is gone, or when the run was told to stop. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor(runId: number) {
    super(`Run ${runId} is no longer held by this worker, or was told to stop.`)
  }
}
