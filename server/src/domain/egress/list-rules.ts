import type { Db } from '#db/pool.ts'
import { isOfRun, type DoorHolder } from '#domain/sandboxes/sandbox-holder.ts'
import { getEgress } from './get-egress.ts'
import { listRunRules } from './list-run-rules.ts'
import { parseRule, type Rule } from './rule.ts'

/** What a sandbox may reach: that of a run as the run may; any other what its repository, and the organization, allow. */
export async function listRules(db: Db, holder: DoorHolder): Promise<Rule[]> {
  if (isOfRun(holder)) return listRunRules(db, holder)
  const { names } = await getEgress(db, holder)
  return names.map(parseRule).filter((rule) => typeof rule !== 'string')
}
