import type { SecretBox } from '#base/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { openDataKey } from './data-key.ts'
import { sealedFor } from './secret.ts'

/** A secret that a run may be given, as it is. */
export type RunSecret = {
  name: string
  value: string
  /** Whether all commands of the run's engine have it in their environment; else those that ask for it by name. */
  isEverywhere: boolean
}

/**
 * All secrets that a run may see, by name: its organization's, and its repository's, which stand in for the organization's
 * of the same name.
 */
export async function listRunSecrets(db: Db, box: SecretBox, { organizationId, runId }: RunIds): Promise<RunSecret[]> {
  const found = await rows<Found>(db, visible, [organizationId, runId])
  const [first] = found
  if (!first) return []
  const dataKey = openDataKey(box, { organizationId, sealed: first.dataKey })
  return found.map(({ name, repoId, sealed, isEverywhere }) => {
    const value = dataKey.open(sealed, sealedFor({ organizationId, repoId }, name))
    if (!value) throw new Error(`the secret ${name} of organization ${organizationId} was changed in the database`)
    return { name, value: value.toString(), isEverywhere }
  })
}

type Found = { name: string; repoId: number | null; sealed: Buffer; dataKey: Buffer; isEverywhere: boolean }

const visible = {
  name: 'list-run-secrets',
  text: `select distinct on (s.name) s.name, s.repo_id as "repoId", s.sealed, k.sealed as "dataKey",
      s.name = any(coalesce(p.environment_secrets, '{}')) as "isEverywhere"
    from runs r join secrets s on s.organization_id = r.organization_id and (s.repo_id is null or s.repo_id = r.repo_id)
      join data_keys k on k.organization_id = s.organization_id
      left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
    where r.organization_id = $1 and r.id = $2
    order by s.name, s.repo_id nulls last`,
}
