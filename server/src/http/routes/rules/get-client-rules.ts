import { getRules } from '#domain/accounts/organizations/get-rules.ts'
import { getMe } from '#domain/accounts/users/get-me.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const getClientRulesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/cli/rules`,
  operationId: 'getClientRules',
  tag: 'Rules',
  summary: "Get the organization's rules and the user's prompt",
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The rules and the prompt.', component: 'ClientRules' },
  handle: async ({ db, params, caller }) => {
    const organizationId = params.org_id
    const { customPrompt } = await getMe(db, { organizationId, userId: caller.userId })
    return { organization_rules: await getRules(db, { organizationId }), user_custom_prompt: customPrompt }
  },
})
