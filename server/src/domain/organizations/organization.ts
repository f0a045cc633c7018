export type OrganizationSettings = {
  /** Whether a run opens a pull request when it does not say so itself. */
  enablePrCreation: boolean
  enableRulesDetection: boolean
}

export type Organization = { id: number; name: string; settings: OrganizationSettings }

/** Columns of an `Organization`, in its names, from `organizations o`. A setting that was never made is on. */
export const organizationColumns = `o.id, o.name, json_build_object(
  'enablePrCreation', coalesce((o.settings->>'enable_pr_creation')::boolean, true),
  'enableRulesDetection', coalesce((o.settings->>'enable_rules_detection')::boolean, true)) as settings`
