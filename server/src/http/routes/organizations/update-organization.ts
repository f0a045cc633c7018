import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { storageLimits } from '#base/storage-limits.ts'
import { updateOrganization } from '#domain/accounts/organizations/update-organization.ts'
import { presentOrganization } from '#http/present/present-organization.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { DefaultEffort, DefaultModels, Labels, Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'
import { AgentName, ArchiveLogsAfterDays, NewRetention, TriggerLabel } from '#http/schemas/organization.ts'
import { ReviewTime } from '#http/schemas/review.ts'
import { SandboxRequire } from '#http/schemas/sandbox.ts'

const StorageMax = Type.Integer({
  minimum: 0,
  maximum: storageLimits.mostMiB * 2 ** 20,
  description: "At most what the operator allows. With an operator's token, sets what they allow.",
})
const MaxRunning = Type.Integer({ minimum: 1, maximum: limits.runningMax })

export const updateOrganizationRoute = defineRoute({
  method: 'PATCH',
  path: organizationPath,
  operationId: 'updateOrganization',
  tag: 'Organizations',
  summary: 'Update an organization',
  description:
    'Fields that are omitted or null are left unchanged, except in `retention`, `archive_logs_after_days` and `default_effort`, where null is a value.',
  policy: 'standard',
  access: 'manage_settings',
  params: OrganizationParams,
  body: Type.Object({
    name: Type.Optional(Nullable(Text(200))),
    settings: Type.Optional(
      Nullable(
        Type.Object({
          enable_pr_creation: Type.Optional(Nullable(Type.Boolean())),
          enable_rules_detection: Type.Optional(Nullable(Type.Boolean())),
          sandbox_require: Type.Optional(Nullable(SandboxRequire)),
          agent_name: Type.Optional(Nullable(AgentName)),
          trigger_label: Type.Optional(Nullable(TriggerLabel)),
          accept_setup_commands: Type.Optional(Nullable(Type.Boolean())),
          review_pulls: Type.Optional(Nullable(ReviewTime)),
          enable_review_approval: Type.Optional(Nullable(Type.Boolean())),
          require_mentions: Type.Optional(Nullable(Type.Boolean())),
          own_workers_only: Type.Optional(Nullable(Type.Boolean())),
          retention: Type.Optional(Nullable(NewRetention)),
          archive_logs_after_days: Type.Optional(ArchiveLogsAfterDays),
        }),
      ),
    ),
    labels: Type.Optional(Nullable(Labels)),
    default_models: Type.Optional(Nullable(DefaultModels)),
    default_effort: Type.Optional(DefaultEffort),
    limits: Type.Optional(
      Nullable(
        Type.Object({
          max_running: Type.Optional(Nullable(MaxRunning)),
          storage_bytes_max: Type.Optional(Nullable(StorageMax)),
        }),
      ),
    ),
  }),
  success: { status: 200, description: 'The organization.', component: 'Organization' },
  handle: async ({ db, params, body, caller }) => {
    const updated = await updateOrganization(db, {
      organizationId: params.org_id,
      name: body.name ?? undefined,
      settings: {
        enablePrCreation: body.settings?.enable_pr_creation ?? undefined,
        enableRulesDetection: body.settings?.enable_rules_detection ?? undefined,
        sandboxRequire: body.settings?.sandbox_require ?? undefined,
        agentName: body.settings?.agent_name ?? undefined,
        triggerLabel: body.settings?.trigger_label ?? undefined,
        acceptSetupCommands: body.settings?.accept_setup_commands ?? undefined,
        reviewPulls: body.settings?.review_pulls ?? undefined,
        enableReviewApproval: body.settings?.enable_review_approval ?? undefined,
        requireMentions: body.settings?.require_mentions ?? undefined,
        ownWorkersOnly: body.settings?.own_workers_only ?? undefined,
      },
      storage: {
        bytesMax: body.limits?.storage_bytes_max ?? undefined,
        byOperator: caller.isInstanceAdmin,
      },
      maxRunning: body.limits?.max_running ?? undefined,
      labels: body.labels ?? undefined,
      defaultModels: body.default_models ?? undefined,
      defaultEffort: body.default_effort,
      retention: body.settings?.retention ?? undefined,
      archiveLogsAfterDays: body.settings?.archive_logs_after_days,
    })
    return presentOrganization(updated)
  },
})
