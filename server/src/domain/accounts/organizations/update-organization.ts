import type { Effort } from '#base/models/effort.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { labelSet } from './label-set.ts'
import { renewLabels } from './renew-labels.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { getOrganization } from './get-organization.ts'
import type { Organization, OrganizationSettings, Retention } from './organization.ts'
import { saveLogArchiving } from './save-log-archiving.ts'
import { saveOwnWorkersOnly } from './save-own-workers-only.ts'
import { saveRetention } from './save-retention.ts'

/** What is undefined stays as it is. */
export type UpdateOrganization = {
  organizationId: number
  name: string | undefined
  settings: { [Name in keyof OrganizationSettings]: OrganizationSettings[Name] | undefined }
  /** What it may store. `byOperator`: who may grant it more than the settings of the service say. */
  storage?: { bytesMax: number | undefined; byOperator: boolean }
  maxRunning: number | undefined
  labels: string[] | undefined
  defaultModels: string[] | undefined
  defaultEffort?: Effort | null | undefined
  retention?: Partial<Retention> | undefined
  archiveLogsAfterDays?: number | null | undefined
}

/** Throws `organization_not_found`; `forbidden` for more storage than may be had. */
export async function updateOrganization(
  db: Db,
  {
    organizationId,
    name,
    settings,
    storage,
    maxRunning,
    labels,
    defaultModels,
    defaultEffort,
    retention,
    archiveLogsAfterDays,
  }: UpdateOrganization,
): Promise<Organization> {
  const { enablePrCreation, enableRulesDetection, sandboxRequire, agentName, triggerLabel, requireMentions } = settings
  return inTransaction(db, async (tx) => {
    await tx.query(
      `update organizations set name = coalesce($2, name), settings = settings || jsonb_strip_nulls(
         jsonb_build_object('enable_pr_creation', $3::boolean, 'enable_rules_detection', $4::boolean, 'sandbox_require', $7::jsonb,
           'agent_name', $8::text, 'trigger_label', $9::text, 'require_mentions', $10::boolean, 'accept_setup_commands', $11::boolean,
           'review_pulls', $12::text, 'enable_review_approval', $13::boolean)),
         labels = coalesce($5, labels), default_models = coalesce($6, default_models),
         default_effort = case when $14 then $15 else default_effort end
       where id = $1`,
      [
        organizationId,
        name,
        enablePrCreation,
        enableRulesDetection,
        labels && labelSet(labels),
        defaultModels && [...new Set(defaultModels)],
        sandboxRequire && JSON.stringify(sandboxRequire),
        agentName,
        triggerLabel,
        requireMentions,
        settings.acceptSetupCommands,
        settings.reviewPulls,
        settings.enableReviewApproval,
        defaultEffort !== undefined,
        defaultEffort ?? null,
      ],
    )
    if (settings.ownWorkersOnly !== undefined)
      await saveOwnWorkersOnly(tx, { organizationId, ownWorkersOnly: settings.ownWorkersOnly })
    if (labels) await renewLabels(tx, { organizationId, repoId: null })
    if (storage?.bytesMax !== undefined)
      await limitStorage(tx, { organizationId, bytesMax: storage.bytesMax, byOperator: storage.byOperator })
    if (retention) await saveRetention(tx, { organizationId, retention })
    if (archiveLogsAfterDays !== undefined) await saveLogArchiving(tx, { organizationId, days: archiveLogsAfterDays })
    if (maxRunning !== undefined) {
      await tx.query('update run_slots set max_running = $2 where organization_id = $1', [organizationId, maxRunning])
    }
    return getOrganization(tx, { organizationId })
  })
}
