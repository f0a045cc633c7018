import { Type } from 'typebox'
import type { CheckSettings } from '#domain/hosts/fixers/check-settings.ts'
import { saveCheckSettings } from '#domain/hosts/fixers/save-check-settings.ts'
import { presentCheckSettings } from '#http/present/present-check-settings.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { CheckSuiteChanges } from '#http/schemas/check-settings.ts'
import { Id, OrganizationParams } from '#http/schemas/fields.ts'

export const saveCheckSettingsRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/repos/check-suite-settings`,
  operationId: 'saveCheckSettings',
  tag: 'Repositories',
  summary: 'Update how agents fix failing checks in a repository',
  description: 'Fields that are omitted or null are left unchanged.',
  policy: 'standard',
  access: 'manage_repos',
  params: OrganizationParams,
  query: Type.Object({ repo_id: Id }),
  body: CheckSuiteChanges,
  success: { status: 200, description: 'The settings.', component: 'CheckSuiteSettings' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, query, body }) => {
    const request = {
      retryCount: body.check_retry_count,
      ignoredChecks: body.ignored_checks,
      retryCounts: body.check_retry_counts,
      customPrompts: body.custom_prompts,
      highPriorityApps: body.high_priority_apps,
      settleSeconds: body.settle_seconds,
    }
    const present = Object.entries(request).filter(([, value]) => value !== null && value !== undefined)
    const settings = Object.fromEntries(present) as Partial<CheckSettings>
    const place = { organizationId: params.org_id, repoId: query.repo_id }
    return presentCheckSettings(await saveCheckSettings(db, { ...place, settings }))
  },
})
