import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { namesOf, type Egress, type EgressPlace } from './egress.ts'

/** `names` are all that runs there may reach: what presets stand for, and for a repository its organization's too. */
export type EgressWithNames = Egress & {
  names: string[]
  /** Whether `.runwright.yml` may allow more to the runs of its repository. */
  isFromFileToo: boolean
}

type Stored = Egress & Pick<EgressWithNames, 'isFromFileToo'>

/** Throws `organization_not_found`, `repo_not_found`. */
export async function getEgress(db: Db, { organizationId, repoId }: EgressPlace): Promise<EgressWithNames> {
  const found = await maybeOne<{ organization: Stored; repo: Stored | null }>(
    db,
    `select json_build_object('allow', o.egress_allow, 'presets', o.egress_presets, 'isFromFileToo', o.egress_from_file) as organization,
       case when r.id is not null then json_build_object('allow', r.egress_allow, 'presets', r.egress_presets,
         'isFromFileToo', r.egress_from_file) end as repo
     from organizations o left join repos r on r.organization_id = o.id and r.id = $2 where o.id = $1`,
    [organizationId, repoId],
  )
  if (!found) throw new AppError('organization_not_found')
  const { organization, repo } = found
  if (repoId === null) return { ...organization, names: namesOf(organization) }
  if (!repo) throw new AppError('repo_not_found')
  const both = { allow: [...organization.allow, ...repo.allow], presets: [...organization.presets, ...repo.presets] }
  return { ...repo, names: namesOf(both) }
}
