import { Type } from 'typebox'
import { listUsage, usageGroups } from '#domain/runs/usage/list-usage.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { readDay } from '#http/input/read-day.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams, pageFields, Word } from '#http/schemas/fields.ts'
import { Day } from '#http/schemas/money.ts'

export const listUsageRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/usage`,
  operationId: 'listUsage',
  tag: 'Organizations',
  summary: 'Get model usage and cost',
  description: 'Newest day first, then highest cost.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({
    ...pageFields,
    group_by: Type.Optional(
      Type.Array(Word(usageGroups), {
        description: 'What to group the totals by. Repeat the parameter for more than one. Default: by day.',
      }),
    ),
    from: Type.Optional(Type.String({ ...Day, description: 'The first day, in UTC.' })),
    to: Type.Optional(Type.String({ ...Day, description: 'The last day, in UTC.' })),
    user_id: Type.Optional(Id),
    repo_id: Type.Optional(Id),
  }),
  success: { status: 200, description: 'A page of totals.', component: 'UsagePage' },
  handle: async ({ db, params, query }) => {
    const { skip, limit, user_id: userId, repo_id: repoId } = query
    const from = readDay(['query', 'from'], query.from)
    const to = readDay(['query', 'to'], query.to)
    const groups = query.group_by?.length ? query.group_by : (['day'] as const)
    const page = { organizationId: params.org_id, groups: [...groups], from, to, userId, repoId, skip, limit }
    const { items, total } = await listUsage(db, page)
    const shown = items.map((sum) => ({
      day: sum.day,
      user_id: sum.userId,
      repo_id: sum.repoId,
      agent_type: sum.agentType,
      model: sum.model,
      calls: sum.calls,
      input_tokens: sum.inputTokens,
      cached_input_tokens: sum.cachedInputTokens,
      output_tokens: sum.outputTokens,
      cost_usd: sum.costUsd,
    }))
    return pageOf({ items: shown, total }, query)
  },
})
