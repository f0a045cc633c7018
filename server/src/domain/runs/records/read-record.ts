import type { Json, JsonObject } from '#base/json.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { one, rows, type Db } from '#db/pool.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import type { ArchiveStore } from '#domain/runs/logs/read-archived-entries.ts'
import { readLogPage } from '#domain/runs/logs/read-log-page.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { recordVersion } from './record-version.ts'

const STEPS_AT_ONCE = 10
const ENTRIES_AT_ONCE = 200

type RecordedStep = {
  step: number
  turn: number
  key: string
  kind: string
  seq: number | null
  request: Json
  response: Json
  startedAt: Date
  finishedAt: Date | null
}
type RecordedMessage = { turn: number; text: string; beforeStep: number }

export type ReadRecord = RunIds & { mask: Mask; now: Date; blobs: ArchiveStore }

/**
 * Everything that a run did, item by item: a head, what people said, the steps with what was asked and answered, the log.
 * Secrets are taken out of it once more: the answers of models are stored as they came. Read in pieces, so that a run of
 * any size takes little memory.
 */
export async function* readRecord(db: Db, run: ReadRecord): AsyncGenerator<JsonObject> {
  const { organizationId, runId, mask, now, blobs } = run
  const ids = [organizationId, runId]
  const clean = (item: object) => cleanJson(item as JsonObject, mask) as JsonObject
  const head = await one<{ entries: number }>(db, headOf, ids)
  yield clean({
    type: 'head',
    format: 'runwright-record',
    version: recordVersion,
    recorded_at: now.toISOString(),
    run_id: runId,
    ...head,
  })
  for (const message of await rows<RecordedMessage>(db, messagesOf, ids)) yield clean({ type: 'message', ...message })
  for (let after = 0; ;) {
    const steps = await rows<RecordedStep>(db, stepsOf, [...ids, after, STEPS_AT_ONCE])
    for (const { startedAt, finishedAt, ...step } of steps) {
      const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null }
      yield clean({ type: 'step', ...step, ...times })
    }
    if (steps.length < STEPS_AT_ONCE) break
    after = steps.at(-1)!.step
  }
  for (let from = 1; from <= head.entries; from += ENTRIES_AT_ONCE) {
    const to = Math.min(head.entries, from + ENTRIES_AT_ONCE - 1)
    for (const entry of await readLogPage(db, { organizationId, runId, blobs, from, to }))
      yield clean({ type: 'entry', entry: JSON.parse(entry) as JsonObject })
  }
}

const headOf = `select r.agent_type, r.output_schema, r.plan_approval, r.branch, r.base_branch, p.name as repository,
    h.next_seq - 1 as entries
  from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
    left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
  where r.organization_id = $1 and r.id = $2`

const messagesOf = `select turn, body as text, taken_step as "beforeStep" from messages
  where organization_id = $1 and run_id = $2 and taken_seq is not null order by taken_seq`

const stepsOf = `select step, turn, key, kind, seq, request, started_at, finished_at,
    case when state = 'done' then response end as response
  from steps where organization_id = $1 and run_id = $2 and step > $3 order by step limit $4`
