import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { parametersOf, tools } from './tools.ts'

export const listToolsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/tools`,
  operationId: 'listTools',
  tag: 'Tools',
  summary: 'List tools for agents that run elsewhere',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The tools.', component: 'ToolList' },
  handle: async () => ({
    tools: tools.map((tool) => {
      const { name, description, category } = tool
      return { name, description, category, parameters: parametersOf(tool) }
    }),
    total_count: tools.length,
  }),
})
