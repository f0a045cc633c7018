import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { recordedAs, type SandboxHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { namesOf, type Egress } from '#domain/repos/egress/egress.ts'
import { parseRule, type Rule } from '#domain/repos/egress/rule.ts'

/**
 * What a sandbox, of a run or of a check, may reach: what its organization allows, its repository besides, and
 * `.runwright.yml` as it was read for it, where that may.
 */
export async function listRules(
  db: Db,
  holder: RunIds | Pick<SandboxHolder, 'organizationId' | 'sandboxId'>,
): Promise<Rule[]> {
  const { column, id } = recordedAs(holder)
  const egress = await maybeOne<Egress>(
    db,
    `select o.egress_allow || coalesce(p.egress_allow, '{}') || file.allow as allow,
       o.egress_presets || coalesce(p.egress_presets, '{}') || file.presets as presets
     from (${column === 'run_id' ? ofRun : ofCheck}) h join organizations o on o.id = h.organization_id
       left join repos p on p.organization_id = h.organization_id and p.id = h.repo_id,
       lateral (select case when o.egress_from_file or p.egress_from_file then h.egress end) e (egress),
       lateral (select array(select jsonb_array_elements_text(e.egress->'allow')), array(select jsonb_array_elements_text(e.egress->'presets')))
         file (allow, presets)`,
    [holder.organizationId, id],
  )
  const rules = namesOf(egress ?? { allow: [], presets: [] }).map(parseRule)
  return rules.filter((rule) => typeof rule !== 'string')
}

const ofRun = `select organization_id, repo_id, environment->'egress' as egress from runs where organization_id = $1 and id = $2`
const ofCheck = `select s.organization_id, c.repo_id, s.egress
  from sandboxes s join checks c on c.organization_id = s.organization_id and c.id = s.check_id
  where s.organization_id = $1 and s.id = $2`
