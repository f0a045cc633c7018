import type { SecretBox } from '#base/secrets/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import { unsealSecrets, type RunSecret, type SealedSecret } from './unseal-secrets.ts'

/** The organization's own secrets, without those of its repositories. */
export async function listOrganizationSecrets(db: Db, box: SecretBox, organizationId: number): Promise<RunSecret[]> {
  return unsealSecrets(box, organizationId, await rows<SealedSecret>(db, own, [organizationId]))
}

const own = {
  name: 'list-organization-secrets',
  text: `select s.name, s.repo_id, s.sealed, k.sealed as "dataKey", false as "isEverywhere"
    from secrets s join data_keys k on k.organization_id = s.organization_id
    where s.organization_id = $1 and s.repo_id is null order by s.name`,
}
