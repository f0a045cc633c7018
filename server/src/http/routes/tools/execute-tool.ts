import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { callRoute } from '#http/pipeline/call-route.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { AnyObject, Nullable, OrganizationParams } from '#http/schemas/fields.ts'
import { requestOf, tools } from './tools.ts'

export const executeToolRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/tools/execute`,
  operationId: 'executeTool',
  tag: 'Tools',
  summary: 'Call a tool',
  description:
    'Does what the endpoint of the tool does, with the rights of the token and under the rate limit of that endpoint, and fails as it does. Arguments that the tool does not know are ignored.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  body: Type.Object({
    tool_name: Type.String({ description: 'As in `GET …/tools`.' }),
    arguments: Type.Optional(Nullable(AnyObject())),
  }),
  success: { status: 200, description: 'What the tool has found or done.', component: 'ToolResult' },
  errors: [
    'prompt_too_long',
    'engine_unavailable',
    'budget_reached',
    'repo_not_found',
    'run_not_found',
    'run_already_ended',
    'conflict',
    'sandbox_too_weak',
  ],
  handle: async (call) => {
    const { tool_name, arguments: options } = call.body
    const tool = tools.find(({ name }) => name === tool_name)
    if (!tool) throw unknownTool(tool_name)
    const { params, query, body } = requestOf(tool, options ?? {})
    const request = { route: tool.route, params: { ...params, org_id: call.params.org_id }, query, body }
    return { tool_name, result: await callRoute(call, request) }
  },
})

function unknownTool(name: string): AppError {
  const msg = `is none of the tools here: ${tools.map((tool) => tool.name).join(', ')}`
  return new AppError('invalid_request', {
    message: `The tool ${JSON.stringify(name.slice(0, 100))} ${msg}.`,
    detail: [{ loc: ['body', 'tool_name'], msg, type: 'enum' }],
  })
}
