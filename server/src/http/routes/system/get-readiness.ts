import { AppError } from '#base/errors.ts'
import { defineRoute } from '#http/route.ts'

export const getReadinessRoute = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Whether the service can work',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'It can.', component: 'Health' },
  errors: ['internal', 'unavailable'],
  handle: async ({ db, parts }) => {
    await db.query('select 1')
    const problems = (await parts.problems?.()) ?? []
    if (problems.length) throw new AppError('unavailable', { message: problems.join(' ') })
    return { status: 'ok' }
  },
})
