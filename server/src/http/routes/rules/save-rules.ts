import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { saveRules } from '#domain/accounts/organizations/save-rules.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, OrganizationParams } from '#http/schemas/fields.ts'

export const saveRulesRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/rules`,
  operationId: 'saveRules',
  tag: 'Rules',
  summary: "Set the organization's rules for agents",
  policy: 'standard',
  access: 'manage_rules',
  params: OrganizationParams,
  body: Type.Object({ rules: Nullable(Type.String({ maxLength: limits.rulesCharactersMax })) }),
  success: { status: 200, description: 'The rules.', component: 'Rules' },
  handle: async ({ db, params, body }) => {
    await saveRules(db, { organizationId: params.org_id, rules: body.rules })
    return { rules: body.rules }
  },
})
