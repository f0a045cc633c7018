import type { Organization } from '#domain/accounts/organizations/organization.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentOrganization({
  id,
  name,
  settings,
  maxRunning,
  storageBytesMax,
  labels,
  defaultModels,
  defaultEffort,
  retention,
  archiveLogsAfterDays,
}: Organization): Components['Organization'] {
  return {
    id,
    name,
    settings: {
      enable_pr_creation: settings.enablePrCreation,
      enable_rules_detection: settings.enableRulesDetection,
      sandbox_require: settings.sandboxRequire,
      agent_name: settings.agentName,
      trigger_label: settings.triggerLabel,
      accept_setup_commands: settings.acceptSetupCommands,
      review_pulls: settings.reviewPulls,
      enable_review_approval: settings.enableReviewApproval,
      require_mentions: settings.requireMentions,
      own_workers_only: settings.ownWorkersOnly,
      retention,
      archive_logs_after_days: archiveLogsAfterDays,
    },
    limits: { max_running: maxRunning, storage_bytes_max: storageBytesMax },
    labels,
    default_models: defaultModels,
    default_effort: defaultEffort,
  }
}
