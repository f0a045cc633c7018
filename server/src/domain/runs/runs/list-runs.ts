import { one, rows, type Db } from '#db/pool.ts'
import {
  readRun,
  runSummaryColumns,
  runTables,
  type Run,
  type RunRow,
  type RunStatus,
  type SourceType,
} from '#domain/runs/run.ts'

export type RunFilters = {
  userId?: number | undefined
  sourceType?: SourceType | undefined
  status?: RunStatus[] | undefined
  repoId?: number | undefined
  parentRunId?: number | undefined
  agentType?: string | undefined
  /** Included. */
  createdAfter?: Date | undefined
  /** Excluded. */
  createdBefore?: Date | undefined
  /** Words to find in prompt, title or result; case does not matter. */
  q?: string | undefined
  /** False when left out. */
  archived?: boolean | undefined
}
export type ListRuns = { organizationId: number; skip: number; limit: number; filters: RunFilters }

/** Newest first. */
export async function listRuns(
  db: Db,
  { organizationId, skip, limit, filters }: ListRuns,
): Promise<{ items: Run[]; total: number }> {
  const values: unknown[] = [organizationId]
  const conditions = ['r.organization_id = $1', `r.archived_at is ${filters.archived ? 'not ' : ''}null`]
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition.replaceAll('?', `$${values.length}`))
  }
  add('r.user_id = ?', filters.userId)
  add('r.source_type = ?', filters.sourceType)
  add('h.status = any(?)', filters.status)
  add('r.repo_id = ?', filters.repoId)
  add('r.parent_run_id = ?', filters.parentRunId)
  add('r.agent_type = ?', filters.agentType)
  add('r.created_at >= ?', filters.createdAfter)
  add('r.created_at < ?', filters.createdBefore)
  add(
    '(r.prompt ilike ? or r.title ilike ? or r.result ilike ?)',
    filters.q === undefined ? undefined : `%${escapeLike(filters.q)}%`,
  )
  const where = conditions.join(' and ')
  const { total } = await one<{ total: number }>(
    db,
    `select count(*) as total from ${runTables} where ${where}`,
    values,
  )
  const page = await rows<RunRow>(
    db,
    `select ${runSummaryColumns} from ${runTables} where ${where} order by r.id desc limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, skip],
  )
  return { items: page.map(readRun), total }
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
