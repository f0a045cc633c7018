import { listQuestions } from '#domain/runs/questions/list-questions.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentQuestion } from '#http/present/present-question.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'
import { PageQuery } from '#http/schemas/fields.ts'

export const listQuestionsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/questions`,
  operationId: 'listQuestions',
  tag: 'Questions',
  summary: 'List questions from the agent, oldest first',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of questions.', component: 'QuestionPage' },
  errors: ['run_not_found'],
  handle: async ({ db, params, query }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const { items, total } = await listQuestions(db, { ...ids, ...query })
    return pageOf({ items: items.map(presentQuestion), total }, query)
  },
})
