import type { RepoChecks } from '#domain/hosts/fixers/get-check-settings.ts'

export function presentCheckSettings({ settings, seenNames }: RepoChecks) {
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
