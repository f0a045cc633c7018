import type { ListedWorkerToken } from '#domain/runs/worker-tokens/list-worker-tokens.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentWorkerToken(token: ListedWorkerToken): Components['WorkerToken'] {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    last4: token.last4,
    labels: token.labels,
    workers: token.workers.map(({ name, version, labels, slots, runs, isFit, connectedAt }) => ({
      name,
      version,
      labels,
      slots,
      runs,
      is_fit: isFit,
      connected_at: connectedAt.toISOString(),
    })),
    created_by: token.createdBy,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }
}
