import { AppError, type Fault } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import type { Egress, EgressPlace, Preset } from './egress.ts'
import { getEgress, type EgressWithNames } from './get-egress.ts'
import { parseRule, ruleText } from './rule.ts'

export type SaveEgress = EgressPlace & {
  allow: readonly string[]
  presets: readonly Preset[]
  /** Left out: `.runwright.yml` may allow nothing. */
  isFromFileToo?: boolean | undefined
}

/** Writes all of it anew. Throws `invalid_request`, which names each that cannot be allowed, and `repo_not_found`. */
export async function saveEgress(
  db: Db,
  { organizationId, repoId, allow, presets, isFromFileToo = false }: SaveEgress,
): Promise<EgressWithNames> {
  const egress: Egress = { allow: readAllow(allow), presets: [...new Set(presets)] }
  const values = [organizationId, egress.allow, egress.presets, isFromFileToo]
  const set = 'set egress_allow = $2, egress_presets = $3, egress_from_file = $4'
  if (repoId === null) await db.query(`update organizations ${set} where id = $1`, values)
  else await db.query(`update repos ${set} where organization_id = $1 and id = $5`, [...values, repoId])
  return getEgress(db, { organizationId, repoId })
}

function readAllow(allow: readonly string[]): string[] {
  const faults: Fault[] = []
  const read = allow.flatMap((text, index) => {
    const rule = parseRule(text)
    if (typeof rule !== 'string') return [ruleText(rule)]
    faults.push({ loc: ['body', 'allow', index], msg: rule, type: 'value_error' })
    return []
  })
  const [first] = faults
  if (first) {
    const message = `${JSON.stringify(allow[Number(first.loc[2])])} ${first.msg}.`
    throw new AppError('invalid_request', { message, detail: faults })
  }
  return [...new Set(read)]
}
