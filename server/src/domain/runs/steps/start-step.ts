import type { JsonObject } from '#base/json.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { ToolShown } from '#domain/runs/logs/live.ts'
import { LeaseLost, PauseWanted, stepColumns, type Holder, type Step } from '#domain/runs/holder.ts'

export type StartStep = {
  holder: Holder
  key: string
  kind: Step['kind']
  request: JsonObject
  /** What is shown of it while it is at work. */
  shown?: ToolShown | null
}
export type StartedStep =
  /** Go ahead; `isRepeated` when an earlier worker began it and its outcome is not known. `logBytes`, `lastSeq`: the log so far. */
  | { step: number; isRepeated: boolean; startedAt: Date; logBytes: number; lastSeq: number; done: false }
  /** It was done before; this is what it answered. */
  | { step: number; done: true; response: Step['response'] }

/**
 * Stores what is about to be done, before it is done. The key names the step for ever: one that was done is not done
 * again. That a model is asked does not wait for the disk: where PostgreSQL itself crashes then, it is asked again, as it would be
 * anyway. Throws `LeaseLost`, and `PauseWanted` where people want a pause before an engine's next step; notes of ours go on.
 */
export async function startStep(db: Db, { holder, key, kind, request, shown = null }: StartStep): Promise<StartedStep> {
  const { organizationId, runId, turn, leaseId } = holder
  const shownText = shown && JSON.stringify(shown)
  const fresh = await maybeOne<{ step: number; startedAt: Date } & LogSoFar>(db, begin, [
    organizationId,
    runId,
    leaseId,
    turn,
    key,
    kind,
    JSON.stringify(request),
    shownText,
  ])
  if (fresh) {
    const { step, startedAt, logBytes, lastSeq } = fresh
    return { step, startedAt, logBytes, lastSeq, isRepeated: false, done: false }
  }
  const known = await maybeOne<Step>(
    db,
    `select ${stepColumns} from steps where organization_id = $1 and run_id = $2 and key = $3`,
    [organizationId, runId, key],
  )
  if (!known) throw await whyRefused(db, holder)
  if (known.state === 'done') return { step: known.step, done: true, response: known.response }
  const own = [organizationId, runId, leaseId, known.step, kind, shownText]
  const again = await maybeOne<LogSoFar>(db, beginAgain, own)
  if (!again) throw await whyRefused(db, holder)
  const { step, startedAt } = known
  return { step, startedAt, ...again, isRepeated: known.leaseId !== leaseId, done: false }
}

type LogSoFar = { logBytes: number; lastSeq: number }

async function whyRefused(db: Db, { organizationId, runId, leaseId }: Holder): Promise<Error> {
  const head = await maybeOne<{ wanted: string | null }>(
    db,
    'select wanted from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3',
    [organizationId, runId, leaseId],
  )
  return head?.wanted === 'pause' ? new PauseWanted(`Run ${runId} is to be paused.`) : new LeaseLost(runId)
}

const begin = {
  name: 'start-step',
  text: `
  with own as (
    update run_heads set next_step = next_step + 1, progress_at = now(), updated_at = now()
    where organization_id = $1 and run_id = $2 and lease_id = $3 and (wanted is null or (wanted = 'pause' and $6 = 'note'))
      and not exists (select from steps where organization_id = $1 and run_id = $2 and key = $5)
    returning next_step - 1 as step, log_bytes, next_seq - 1 as last_seq)
  insert into steps (organization_id, run_id, step, turn, key, kind, state, lease_id, request, shown)
  select $1, $2, own.step, $4, $5, $6, 'started', $3, $7, $8 from own
  returning step, started_at, (select log_bytes from own) as "logBytes", (select last_seq from own) as "lastSeq",
    case when $6 = 'model' then set_config('synchronous_commit', 'off', true) end`,
}

const beginAgain = `
  with own as (
    select log_bytes, next_seq - 1 as last_seq from run_heads
    where organization_id = $1 and run_id = $2 and lease_id = $3
      and (wanted is null or (wanted = 'pause' and $5 = 'note')) for update)
  update steps set tries = tries + 1, lease_id = $3, shown = $6 from own
  where steps.organization_id = $1 and steps.run_id = $2 and steps.step = $4 and state = 'started'
  returning own.log_bytes, own.last_seq`
