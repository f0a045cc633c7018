import type { EnforcementRequired } from '#base/enforcement.ts'
import type { ReviewTime } from './review-time.ts'

export type OrganizationSettings = {
  /** Whether a run opens a pull request when it does not say so itself. */
  enablePrCreation: boolean
  enableRulesDetection: boolean
  /** Of the sandboxes of its runs. */
  sandboxRequire: EnforcementRequired
  /** By what people mention the agent on code hosts, without the @. */
  agentName: string
  /** Issues that get it are given to the agent. Empty: none does. */
  triggerLabel: string
  /** Whether the agent is told of comments on its own pull requests only where they mention it. */
  requireMentions: boolean
  /** Whether setup commands that a run has found count without a person's word; a repository may say otherwise. */
  acceptSetupCommands: boolean
  /** When agents review pull requests by themselves; a repository may say otherwise. */
  reviewPulls: ReviewTime
  /** Whether agents may approve pull requests of people. */
  enableReviewApproval: boolean
}

/** A setting that was never made. */
export const defaultAgentName = 'runwright'

export type Organization = {
  id: number
  name: string
  settings: OrganizationSettings
  /** How many of its runs may be at work at once; the others wait. */
  maxRunning: number
  /** How many bytes it may store. */
  storageBytesMax: number
  /** Workers that have all of these may take its runs, where the repository names none itself. */
  labels: string[]
  /** For runs that name no model, where the repository names none either. */
  defaultModels: string[]
}

/** Columns of an `Organization`, in its names, from `organizations o`. Most settings that were never made are on. */
export const organizationColumns = `o.id, o.name, json_build_object(
  'enablePrCreation', coalesce((o.settings->>'enable_pr_creation')::boolean, true),
  'enableRulesDetection', coalesce((o.settings->>'enable_rules_detection')::boolean, true),
  'sandboxRequire', coalesce(o.settings->'sandbox_require', '{}'),
  'agentName', coalesce(o.settings->>'agent_name', '${defaultAgentName}'),
  'triggerLabel', coalesce(o.settings->>'trigger_label', '${defaultAgentName}'),
  'requireMentions', coalesce((o.settings->>'require_mentions')::boolean, true),
  'acceptSetupCommands', coalesce((o.settings->>'accept_setup_commands')::boolean, false),
  'reviewPulls', coalesce(o.settings->>'review_pulls', 'off'),
  'enableReviewApproval', coalesce((o.settings->>'enable_review_approval')::boolean, false)) as settings,
  (select s.max_running from run_slots s where s.organization_id = o.id) as "maxRunning", storage_limit(o.id, 'organization') as "storageBytesMax", o.labels,
  o.default_models`
