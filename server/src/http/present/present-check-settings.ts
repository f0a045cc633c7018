import type { RepoChecks } from '#domain/hosts/fixers/get-check-settings.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentCheckSettings({ settings, seenNames }: RepoChecks): Components['CheckSuiteSettings'] {
  return {
    check_retry_count: settings.retryCount,
    ignored_checks: settings.ignoredChecks,
    check_retry_counts: settings.retryCounts,
    custom_prompts: settings.customPrompts,
    high_priority_apps: settings.highPriorityApps,
    settle_seconds: settings.settleSeconds,
    available_check_suite_names: seenNames,
  }
}
