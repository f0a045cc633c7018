import { limits } from '#base/limits.ts'
import { one, rows, type Db } from '#db/pool.ts'
import type { Comparison, Contestant, Verdict } from './comparison.ts'

/** `comparisonId`: this one alone. `runId`: the one that it takes part in. */
export type ListComparisons = {
  organizationId: number
  comparisonId?: number | null
  runId?: number | null
  skip: number
  limit: number
}

/** Comparisons with their contestants, the newest first. A deleted run is in none of them, and one without runs is gone. */
export async function listComparisons(
  db: Db,
  { organizationId, comparisonId = null, runId = null, skip, limit }: ListComparisons,
): Promise<{ items: Comparison[]; total: number }> {
  const { total } = await one<{ total: number }>(db, countLiving, [organizationId, comparisonId, runId])
  const found = await rows<Omit<Comparison, 'contestants'>>(db, selectLiving, [
    organizationId,
    comparisonId,
    runId,
    limit,
    skip,
  ])
  const ids = found.map(({ id }) => id)
  const verdicts = await rows<Verdict>(db, selectVerdicts, [organizationId, ids])
  const contestants = (await rows<ContestantRow>(db, selectContestants, [organizationId, ids])).map((row) => ({
    ...row,
    verdicts: verdicts.filter(({ runId }) => runId === row.runId),
  }))
  const items = found.map((comparison) => ({
    ...comparison,
    contestants: contestants.filter((contestant) => contestant.comparisonId === comparison.id),
  }))
  return { items, total }
}

type ContestantRow = Omit<Contestant, 'verdicts'> & { comparisonId: number }

const living = `from comparisons k where k.organization_id = $1 and ($2::bigint is null or k.id = $2)
  and exists (select from contestants t join run_heads h on h.organization_id = t.organization_id and h.run_id = t.run_id
    where t.organization_id = k.organization_id and t.comparison_id = k.id and ($3::bigint is null or t.run_id = $3))`

const countLiving = `select count(*) as total ${living}`

const selectLiving = `
  select k.id, k.organization_id, k.user_id, k.repo_id, k.title, k.prompt, k.base_branch, k.base_commit, k.judges, k.judge_files,
    k.winner_run_id, k.opens_pull, k.problem, k.cancelled_at, k.created_at
  ${living} order by k.id desc limit $4 offset $5`

const selectContestants = `
  select t.comparison_id, t.n, t.name, t.run_id, t.commit, t.branch_deleted_at, h.status, h.status_detail, r.agent_type,
    coalesce(r.model, r.model_used) as model, r.effort, r.prompt, left(r.result, ${limits.summaryCharactersMax}) as answer, r.error,
    r.started_at, r.finished_at, r.branch, case when r.branch_commit is distinct from r.base_commit then r.branch_commit end as head,
    json_build_object('inputTokens', h.input_tokens, 'cachedInputTokens', h.cache_read_tokens, 'outputTokens', h.output_tokens, 'costUsd', h.cost_usd) as usage,
    (select count(*) from steps s where s.organization_id = t.organization_id and s.run_id = t.run_id and s.kind <> 'note') as steps,
    case when t.files is not null then json_build_object('files', t.files, 'additions', t.additions, 'deletions', t.deletions) end as diff,
    (select json_build_object('passed', count(*) filter (where c.conclusion in ('success', 'neutral', 'skipped')),
        'failed', count(*) filter (where c.conclusion not in ('success', 'neutral', 'skipped')),
        'open', count(*) filter (where c.conclusion is null))
      from checks c where c.organization_id = t.organization_id and c.repo_id = r.repo_id and c.commit = t.commit
        and c.comparison_id is null) as checks,
    (select json_build_object('id', p.id, 'number', p.number) from pulls p
      where p.organization_id = t.organization_id and p.run_id = t.run_id order by p.id desc limit 1) as pull
  from contestants t join runs r on r.organization_id = t.organization_id and r.id = t.run_id
    join run_heads h on h.organization_id = t.organization_id and h.run_id = t.run_id
  where t.organization_id = $1 and t.comparison_id = any($2) order by t.comparison_id, t.n`

const selectVerdicts = `
  select c.id, t.run_id, c.name, c.status, c.conclusion, c.exit_code, c.duration_ms, c.summary,
    c.log_sha256 is not null or c.log_pieces > 0 as has_log
  from checks c join contestants t on t.organization_id = c.organization_id and t.comparison_id = c.comparison_id
    and t.run_id = c.run_id and t.commit = c.commit
  where c.organization_id = $1 and c.comparison_id = any($2) order by c.id`
