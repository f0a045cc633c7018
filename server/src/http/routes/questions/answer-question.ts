import { Type } from 'typebox'
import { answerQuestion } from '#domain/runs/questions/answer-question.ts'
import { checkText } from '#http/input/check-run-input.ts'
import { presentQuestion } from '#http/present/present-question.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Ordinal } from '#http/schemas/fields.ts'

export const answerQuestionRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/:agent_run_id/questions/:n/answer`,
  operationId: 'answerQuestion',
  tag: 'Questions',
  summary: 'Answer a question',
  description:
    'The run that is waiting for the answer continues in the same turn. Answer a plan with `approve` or with the changes you want.',
  policy: 'standard',
  access: 'use_agents',
  params: Type.Object({ org_id: Id, agent_run_id: Id, n: Ordinal }),
  body: Type.Object({ answer: Type.String({ pattern: '\\S', description: 'At most 256 KiB.' }) }),
  success: { status: 200, description: 'The answered question.', component: 'Question' },
  errors: ['prompt_too_long', 'run_not_found', 'question_not_found', 'run_already_ended', 'conflict'],
  handle: async ({ db, params, body, caller }) => {
    checkText('answer', body.answer)
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const { n } = params
    return presentQuestion(await answerQuestion(db, { ...ids, n, answer: body.answer, userId: caller.userId }))
  },
})
