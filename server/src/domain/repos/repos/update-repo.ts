import { AppError } from '#base/errors.ts'
import type { Effort } from '#base/models/effort.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { labelSet } from '#domain/accounts/organizations/label-set.ts'
import type { BranchRule } from '#domain/repos/branch-rule.ts'
import type { CheckCommand } from '#domain/repos/environment.ts'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { ReviewTime } from '#domain/accounts/organizations/review-time.ts'
import { renewLabels } from '#domain/accounts/organizations/renew-labels.ts'
import { whyNotPath } from '#domain/repos/work-paths.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'

/** What is undefined stays as it is. */
export type UpdateRepo = {
  organizationId: number
  repoId: number
  description: string | null | undefined
  archived: boolean | undefined
  labels: string[] | undefined
  setupCommands: string | null | undefined
  acceptSetupCommands: boolean | undefined
  setupRequired?: boolean | undefined
  checkCommands: CheckCommand[] | undefined
  reviewPulls?: ReviewTime | undefined
  watchedBranches?: string[] | undefined
  /** Of which, too, only what is there changes. */
  pullSettings?: Partial<PullSettings> | undefined
  branchRules?: BranchRule[] | undefined
  paths?: string[] | undefined
  defaultModels: string[] | undefined
  defaultEffort?: Effort | null | undefined
  defaultEngine?: string | null | undefined
  environmentSecrets: string[] | undefined
}

/** Throws `repo_not_found`, `invalid_request` for a name of no secret, two checks of one name, and rules for another host's branches. */
export async function updateRepo(db: Db, request: UpdateRepo): Promise<Repo> {
  const { organizationId, repoId, description, archived, labels, setupCommands } = request
  requireNames(request.checkCommands ?? [])
  return inTransaction(db, async (tx) => {
    const repo = await maybeOne<Repo>(
      tx,
      `update repos set description = case when $3 then $4 else description end, archived = coalesce($5, archived),
         labels = coalesce($6, labels), setup_commands = case when $7 then $8 else setup_commands end,
         default_models = coalesce($9, default_models), environment_secrets = coalesce($10, environment_secrets),
         check_commands = coalesce($11, check_commands), accept_setup_commands = coalesce($12, accept_setup_commands),
         setup_required = coalesce($13, setup_required), review_pulls = coalesce($14, review_pulls),
         watched_branches = coalesce($15, watched_branches),
         default_engine = case when $16 then $17 else default_engine end,
         pull_settings = pull_settings || coalesce($18::jsonb, '{}'), branch_rules = coalesce($19::json, branch_rules),
         paths = coalesce($20, paths),
         default_effort = case when $21 then $22 else default_effort end
       where organization_id = $1 and id = $2 returning ${repoColumns}`,
      [
        organizationId,
        repoId,
        description !== undefined,
        description ?? null,
        archived,
        labels && labelSet(labels),
        setupCommands !== undefined,
        setupCommands ?? null,
        request.defaultModels && [...new Set(request.defaultModels)],
        request.environmentSecrets && labelSet(request.environmentSecrets),
        request.checkCommands && JSON.stringify(request.checkCommands),
        request.acceptSetupCommands,
        request.setupRequired,
        request.reviewPulls,
        request.watchedBranches && labelSet(request.watchedBranches),
        request.defaultEngine !== undefined,
        request.defaultEngine ?? null,
        request.pullSettings && JSON.stringify(request.pullSettings),
        request.branchRules && JSON.stringify(request.branchRules),
        request.paths,
        request.defaultEffort !== undefined,
        request.defaultEffort ?? null,
      ],
    )
    if (!repo) throw new AppError('repo_not_found')
    if (request.branchRules?.length) requireLocal(repo)
    if (request.environmentSecrets) await requireSecrets(tx, repo)
    if (labels) await renewLabels(tx, { organizationId, repoId })
    return repo
  })
}

function requireLocal({ host }: Repo): void {
  if (host === 'local') return
  const msg = 'is set on the code host itself'
  const detail = [{ loc: ['body', 'branch_rules'], msg, type: 'value_error' }]
  throw new AppError('invalid_request', {
    message: 'The rules of these branches are set on the code host itself.',
    detail,
  })
}

/** Whoever misspells a name shall hear of it now, and not from a command that lacks a variable. */
async function requireSecrets(tx: Db, { organizationId, id, environmentSecrets }: Repo): Promise<void> {
  const found = await rows<{ name: string }>(
    tx,
    'select distinct name from secrets where organization_id = $1 and (repo_id is null or repo_id = $2) order by name',
    [organizationId, id],
  )
  const known = found.map(({ name }) => name)
  const unknown = environmentSecrets.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const msg = `names no secret: ${unknown}`
  const message = `There is no secret ${unknown}. There are: ${known.join(', ') || 'none'}.`
  throw new AppError('invalid_request', {
    message,
    detail: [{ loc: ['body', 'environment_secrets'], msg, type: 'value_error' }],
  })
}

/** A check is known by its name, and its folder is one of the repository. */
function requireNames(checks: readonly CheckCommand[]): void {
  for (const [at, { path }] of checks.entries()) {
    const msg = path === undefined ? null : whyNotPath(path)
    if (msg === null) continue
    const detail = [{ loc: ['body', 'check_commands', at, 'path'], msg, type: 'value_error' }]
    throw new AppError('invalid_request', { message: `"${path}" ${msg}.`, detail })
  }
  const names = checks.map(({ name }) => name)
  const double = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (double < 0) return
  const msg = `is the name of two checks: ${names[double]}`
  const detail = [{ loc: ['body', 'check_commands', double, 'name'], msg, type: 'value_error' }]
  throw new AppError('invalid_request', { message: `check_commands ${msg}.`, detail })
}
