import type { ChildRun } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { shortenWithin } from '#base/text/shorten.ts'

/** A run that this one has started, as programs read it. */
export function describeChild(child: ChildRun): JsonObject {
  const { id, title, status, statusDetail, result, error, pulls } = child
  const shown = result === null ? null : shortenWithin(result, limits.childResultCharactersMax)
  return { agent_run_id: id, title, status, status_detail: statusDetail, result: shown, error, pull_requests: pulls }
}
