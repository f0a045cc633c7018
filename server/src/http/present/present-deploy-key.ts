import type { DeployKey } from '#domain/repos/deploy-keys/deploy-key.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentDeployKey(key: DeployKey): Components['DeployKey'] {
  return {
    id: key.id,
    repo_id: key.repoId,
    title: key.title,
    key: key.publicKey,
    fingerprint: key.fingerprint,
    can_push: key.canPush,
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}
