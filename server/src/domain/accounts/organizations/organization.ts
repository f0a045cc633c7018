import type { DeletedPart } from '#base/deleted-part.ts'
import type { Effort } from '#base/models/effort.ts'
import type { EnforcementRequired } from '#base/enforcement.ts'
import type { ReviewTime } from './review-time.ts'

export type OrganizationSettings = {
  /** Whether a run that does not set `create_pull_request` opens a pull request. */
  enablePrCreation: boolean
  enableRulesDetection: boolean
  /** How strictly the sandboxes of its runs must enforce each limit. */
  sandboxRequire: EnforcementRequired
  /** The name by which people mention the agent on code hosts, without the @. */
  agentName: string
  /** The agent works on issues that get this label. Empty: no label does that. */
  triggerLabel: string
  /** Whether comments on the agent's own pull requests reach it only if they mention it. */
  requireMentions: boolean
  /** Whether setup commands that a run has found are used without a person's approval; a repository may override this. */
  acceptSetupCommands: boolean
  /** When agents review pull requests by themselves; a repository may override this. */
  reviewPulls: ReviewTime
  /** Whether a review by an agent may approve a person's pull request. */
  enableReviewApproval: boolean
  /** Whether its runs and checks go to workers with tokens of its own alone. */
  ownWorkersOnly: boolean
}

/** For an organization that has not set its own. */
export const defaultAgentName = 'runwright'

export type Organization = {
  id: number
  name: string
  settings: OrganizationSettings
  /** How many of its runs may be in progress at once; the others are queued. */
  maxRunning: number
  /** Its storage limit in bytes. */
  storageBytesMax: number
  /** A worker needs all of these to take its runs, unless the repository has labels of its own. */
  labels: string[]
  /** For runs without a model in repositories without default models. */
  defaultModels: string[]
  defaultEffort: Effort | null
  retention: Retention
  /** How many days after its end a run's log is moved to the blob store; null: never. */
  archiveLogsAfterDays: number | null
}

/** How many days each part of a run is kept after the run ended; null: until it is deleted. */
export type Retention = Record<DeletedPart, number | null>

const daysOf = (part: DeletedPart) =>
  `'${part}', (select days from retention t where t.organization_id = o.id and t.part = '${part}')`

/** Columns of an `Organization`, in its names, from `organizations o`. Most settings are on by default. */
export const organizationColumns = `o.id, o.name, json_build_object(
  'enablePrCreation', coalesce((o.settings->>'enable_pr_creation')::boolean, true),
  'enableRulesDetection', coalesce((o.settings->>'enable_rules_detection')::boolean, true),
  'sandboxRequire', coalesce(o.settings->'sandbox_require', '{}'),
  'agentName', coalesce(o.settings->>'agent_name', '${defaultAgentName}'),
  'triggerLabel', coalesce(o.settings->>'trigger_label', '${defaultAgentName}'),
  'requireMentions', coalesce((o.settings->>'require_mentions')::boolean, true),
  'acceptSetupCommands', coalesce((o.settings->>'accept_setup_commands')::boolean, false),
  'reviewPulls', coalesce(o.settings->>'review_pulls', 'off'),
  'enableReviewApproval', coalesce((o.settings->>'enable_review_approval')::boolean, false),
  'ownWorkersOnly', not may_serve(null, o.id)) as settings,
  (select s.max_running from run_slots s where s.organization_id = o.id) as "maxRunning", storage_limit(o.id, 'organization') as "storageBytesMax", o.labels,
  o.default_models, o.default_effort,
  json_build_object(${daysOf('runs')}, ${daysOf('logs')}, ${daysOf('artifacts')}, ${daysOf('egress')}, ${daysOf('model_calls')},
    ${daysOf('repositories')}) as retention, (select a.days from log_archiving a where a.organization_id = o.id) as "archiveLogsAfterDays"`
