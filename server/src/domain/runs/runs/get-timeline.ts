import { rows, type Db } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** What a run's time went into; `to` is null for what lasts. */
export type Span = { kind: 'queue' | 'setup' | 'model' | 'tool' | 'person'; from: Date; to: Date | null }

/** Of so many steps a timeline is made, the first ones. */
const stepsMax = 10_000

type TimedStep = {
  turn: number
  key: string
  kind: 'model' | 'tool' | 'note' | 'ask'
  startedAt: Date
  finishedAt: Date | null
  /** When people answered what it asked. */
  answeredAt: Date | null
}

/**
 * A run's time, in order: of each turn how long it was queued and how long its workspace took, then its model and tool
 * calls, and how long it waited for people and, after their answer, for a worker. Throws `run_not_found`.
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
    `select s.turn, s.key, s.kind, s.started_at, s.finished_at, q.answered_at
     from steps s left join questions q on s.kind = 'ask' and q.organization_id = $1 and q.run_id = $2 and q.key = s.key
     where s.organization_id = $1 and s.run_id = $2 and (s.kind <> 'note' or starts_with(s.key, 't' || s.turn || '/workspace'))
     order by s.step limit ${stepsMax}`,
    [organizationId, runId],
  )
  const stepsOf = Map.groupBy(steps, ({ turn }) => turn)
  const isQueued = run.status === 'queued' || run.status === 'paused'
  const spans: Span[] = []
  for (const [index, { turn, at }] of asked.entries()) {
    const own = stepsOf.get(turn) ?? []
    const setup = own.find(({ kind }) => kind === 'note')
    // A message that was sent while the turn before it lasted began to wait only when that had ended.
    const before = spans.at(-1)?.to
    const from = before && before > at ? before : at
    const left = setup?.startedAt ?? (turn === run.turn && isQueued ? null : (run.finishedAt ?? run.startedAt))
    spans.push({ kind: 'queue', from, to: left && left < from ? from : left })
    if (setup) spans.push({ kind: 'setup', from: setup.startedAt, to: setup.finishedAt })
    const nextAt = asked[index + 1]?.at ?? null
    for (const step of own) spans.push(...spansOf(step, nextAt))
  }
  // What a worker was lost in, and was never done again, ended with the run.
  return spans.map((span) => ({ ...span, to: span.to ?? run.finishedAt }))
}

/** `nextAt`: when the next turn was asked for, and a question that was open till then was given up. */
function spansOf({ kind, startedAt, finishedAt, answeredAt }: TimedStep, nextAt: Date | null): Span[] {
  if (kind === 'note') return []
  if (kind !== 'ask') return [{ kind, from: startedAt, to: finishedAt }]
  const person: Span = { kind: 'person', from: startedAt, to: answeredAt ?? nextAt }
  return answeredAt ? [person, { kind: 'queue', from: answeredAt, to: finishedAt ?? nextAt }] : [person]
}
