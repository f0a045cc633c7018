import type { SecretBox } from '#base/secrets/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import { unsealSecrets, type RunSecret, type SealedSecret } from './unseal-secrets.ts'

/** All secrets that runs in a repository may see, as `listRunSecrets` lists those of one run. */
export async function listRepoSecrets(
  db: Db,
  box: SecretBox,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<RunSecret[]> {
  return unsealSecrets(box, organizationId, await rows<SealedSecret>(db, visible, [organizationId, repoId]))
}

const visible = {
  name: 'list-repo-secrets',
  text: `select distinct on (s.name) s.name, s.repo_id, s.sealed, k.sealed as "dataKey",
      s.name = any(p.environment_secrets) as "isEverywhere"
    from repos p join secrets s on s.organization_id = p.organization_id and (s.repo_id is null or s.repo_id = p.id)
      join data_keys k on k.organization_id = s.organization_id
    where p.organization_id = $1 and p.id = $2
    order by s.name, s.repo_id nulls last`,
}
