import { one, rows, type Db } from '#db/pool.ts'
import { workerTokenColumns, type WorkerToken } from './worker-token.ts'

/** A worker that is connected with a token. */
export type ConnectedWorker = {
  tokenId: number | null
  name: string
  version: string
  labels: string[]
  slots: number
  /** How many it has at work. */
  runs: number
  connectedAt: Date
  /** Whether its machine has no fault for which it takes no runs. */
  isFit: boolean
}

export type ListedWorkerToken = WorkerToken & { workers: ConnectedWorker[] }

export type ListWorkerTokens = {
  /** Null: those for all organizations. */
  organizationId: number | null
  skip: number
  limit: number
}

/** Newest first, each with the workers that are connected with it now. */
export async function listWorkerTokens(
  db: Db,
  { organizationId, skip, limit }: ListWorkerTokens,
): Promise<{ items: ListedWorkerToken[]; total: number }> {
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from worker_tokens where organization_id is not distinct from $1',
    [organizationId],
  )
  const tokens = await rows<WorkerToken>(
    db,
    `select ${workerTokenColumns} from worker_tokens where organization_id is not distinct from $1 order by id desc limit $2 offset $3`,
    [organizationId, limit, skip],
  )
  const workers = await rows<ConnectedWorker>(
    db,
    `select w.token_id as "tokenId", w.name, w.version, w.labels, w.slots, w.started_at as "connectedAt", w.unfit = '{}' as "isFit",
       (select count(*) from run_heads h where h.worker_id = w.id) as runs
     from workers w
     where w.token_id = any($1) and w.organization_id is not distinct from $2 and w.alive_until > now() and not w.draining
     order by w.id`,
    [tokens.map(({ id }) => id), organizationId],
  )
  const items = tokens.map((token) => ({
    ...token,
    workers: workers.filter(({ tokenId }) => tokenId === token.id),
  }))
  return { items, total }
}
