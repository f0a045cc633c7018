import { one, rows, type Db } from '#db/pool.ts'

export const usageGroups = ['day', 'user', 'repo', 'engine', 'model'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** What models were asked and said, added up. A field that the sums are not told apart by is null. */
export type UsageSum = {
  /** Of UTC, `2026-01-31`. */
  day: string | null
  userId: number | null
  repoId: number | null
  agentType: string | null
  model: string | null
  calls: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** Of those calls that have a price; null where none has. */
  costUsd: number | null
}

export type ListUsage = {
  organizationId: number
  groups: UsageGroup[]
  /** Days, both included. */
  from?: string | undefined
  to?: string | undefined
  userId?: number | undefined
  repoId?: number | undefined
  skip: number
  limit: number
}

const columns: Record<UsageGroup, string> = {
  day: 'day',
  user: 'user_id',
  repo: 'repo_id',
  engine: 'agent_type',
  model: 'model',
}

/** The newest day first, then what cost most. */
export async function listUsage(
  db: Db,
  { organizationId, groups, from, to, userId, repoId, skip, limit }: ListUsage,
): Promise<{ items: UsageSum[]; total: number }> {
  const shown = (group: UsageGroup) => (groups.includes(group) ? columns[group] : 'null')
  const by = [...new Set(groups)].map((group) => columns[group]).join(', ')
  const sums = `
    select ${shown('day')}::text as day, ${shown('user')}::bigint as "userId", ${shown('repo')}::bigint as "repoId",
      ${shown('engine')}::text as "agentType", ${shown('model')}::text as model,
      sum(calls)::bigint as calls, sum(input_tokens)::bigint as "inputTokens",
      sum(cache_read_tokens)::bigint as "cachedInputTokens", sum(output_tokens)::bigint as "outputTokens",
      sum(cost_usd)::float8 as "costUsd"
    from usage_days
    where organization_id = $1 and ($2::date is null or day >= $2) and ($3::date is null or day <= $3)
      and ($4::bigint is null or user_id = $4) and ($5::bigint is null or repo_id = $5)
    group by ${by}`
  const values = [organizationId, from ?? null, to ?? null, userId ?? null, repoId ?? null]
  const { total } = await one<{ total: number }>(db, `select count(*) as total from (${sums}) sums`, values)
  const items = await rows<UsageSum>(
    db,
    `select * from (${sums}) sums
     order by day desc, "costUsd" desc nulls last, calls desc, model, "userId", "repoId", "agentType" limit $6 offset $7`,
    [...values, limit, skip],
  )
  return { items, total }
}
