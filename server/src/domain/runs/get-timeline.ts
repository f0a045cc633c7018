import { rows, type Db } from '#db/pool.ts'
import { getRun } from './get-run.ts'
import type { RunIds } from './run.ts'

/** What a run's time went into; `to` is null for what lasts. */
export type Span = { kind: 'queue' | 'setup' | 'model' | 'tool'; from: Date; to: Date | null }

/** Of so many steps a timeline is made, the first ones. */
const stepsMax = 10_000

type TimedStep = {
  turn: number
  key: string
  kind: 'model' | 'tool' | 'note'
  startedAt: Date
  finishedAt: Date | null
}

/**
 * A run's time, in order: of each turn how long it was queued and how long its workspace took, then its model and tool
 * calls. Throws `run_not_found`.
 */
export async function getTimeline(db: Db, { organizationId, runId }: RunIds): Promise<Span[]> {
  const run = await getRun(db, { organizationId, runId })
  const asked = await rows<{ turn: number; at: Date }>(
    db,
    `select turn, min(created_at) as at from messages where organization_id = $1 and run_id = $2 and turn is not null
     group by turn order by turn`,
    [organizationId, runId],
  )
  const steps = await rows<TimedStep>(
    db,
    `select turn, key, kind, started_at as "startedAt", finished_at as "finishedAt" from steps
     where organization_id = $1 and run_id = $2 and (kind <> 'note' or key = 't' || turn || '/workspace')
     order by step limit ${stepsMax}`,
    [organizationId, runId],
  )
  const stepsOf = Map.groupBy(steps, ({ turn }) => turn)
  const isQueued = run.status === 'queued' || run.status === 'paused'
  const spans: Span[] = []
  for (const { turn, at } of asked) {
    const own = stepsOf.get(turn) ?? []
    const setup = own.find(({ kind }) => kind === 'note')
    // A message that was sent while the turn before it lasted began to wait only when that had ended.
    const before = spans.at(-1)?.to
    const from = before && before > at ? before : at
    const left = setup?.startedAt ?? (turn === run.turn && isQueued ? null : (run.finishedAt ?? run.startedAt))
    spans.push({ kind: 'queue', from, to: left && left < from ? from : left })
    if (setup) spans.push({ kind: 'setup', from: setup.startedAt, to: setup.finishedAt })
    for (const { kind, startedAt, finishedAt } of own)
      if (kind !== 'note') spans.push({ kind, from: startedAt, to: finishedAt })
  }
  // What a worker was lost in, and was never done again, ended with the run.
  return spans.map((span) => ({ ...span, to: span.to ?? run.finishedAt }))
}
