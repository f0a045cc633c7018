import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { namesOf, type Egress } from './egress.ts'
import { parseRule, type Rule } from './rule.ts'

/** What a run may reach: what its organization allows, its repository besides, and `.runwright.yml` where that may. */
export async function listRunRules(db: Db, { organizationId, runId }: RunIds): Promise<Rule[]> {
  const egress = await maybeOne<Egress>(
    db,
    `select o.egress_allow || coalesce(p.egress_allow, '{}') || file.allow as allow,
       o.egress_presets || coalesce(p.egress_presets, '{}') || file.presets as presets
     from runs r join organizations o on o.id = r.organization_id
       left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id,
       lateral (select case when o.egress_from_file or p.egress_from_file then r.environment->'egress' end) e (egress),
       lateral (select array(select jsonb_array_elements_text(egress->'allow')), array(select jsonb_array_elements_text(egress->'presets')))
         file (allow, presets)
     where r.organization_id = $1 and r.id = $2`,
    [organizationId, runId],
  )
  const rules = namesOf(egress ?? { allow: [], presets: [] }).map(parseRule)
  return rules.filter((rule) => typeof rule !== 'string')
}
