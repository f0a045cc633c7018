import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { openIntegration, type OpenIntegration } from './open-integration.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'

export type ConnectedRepo = { repo: Repo; integration: OpenIntegration | null }

/** A repository of another host with what opens it; null when there is none. Its integration is null where it has none any more. */
export async function findConnectedRepo(
  db: Db,
  box: SecretBox,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<ConnectedRepo | null> {
  const repo = await maybeOne<Repo>(
    db,
    `select ${repoColumns} from repos where organization_id = $1 and id = $2 and host <> 'local' and removed_at is null`,
    [organizationId, repoId],
  )
  if (!repo) return null
  const { integrationId } = repo
  const integration = integrationId === null ? null : await openIntegration(db, box, { organizationId, integrationId })
  return { repo, integration }
}
