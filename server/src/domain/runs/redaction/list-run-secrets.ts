import type { SecretBox } from '#base/secrets/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { unsealSecrets, type RunSecret, type SealedSecret } from '#domain/repos/secrets/unseal-secrets.ts'

/**
 * All secrets that a run may see, by name: its organization's, and its repository's, which stand in for the organization's
 * of the same name.
 */
export async function listRunSecrets(db: Db, box: SecretBox, { organizationId, runId }: RunIds): Promise<RunSecret[]> {
  return unsealSecrets(box, organizationId, await rows<SealedSecret>(db, visible, [organizationId, runId]))
}

const visible = {
  name: 'list-run-secrets',
  text: `select distinct on (s.name) s.name, s.repo_id, s.sealed, k.sealed as "dataKey",
      s.name = any(coalesce(p.environment_secrets, '{}')) as "isEverywhere"
    from runs r join secrets s on s.organization_id = r.organization_id and (s.repo_id is null or s.repo_id = r.repo_id)
      join data_keys k on k.organization_id = s.organization_id
      left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
    where r.organization_id = $1 and r.id = $2
    order by s.name, s.repo_id nulls last`,
}
