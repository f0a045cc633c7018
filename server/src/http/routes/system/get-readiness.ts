import { AppError } from '#base/errors.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { databaseAway, inTime, openProbe } from './open-probe.ts'

const probe = openProbe({
  down: 'this process is not ready',
  up: 'this process is ready again',
  look: async ({ db }) => ({
    problems: await inTime(
      db.query('select 1').then(() => []),
      () => databaseAway,
    ),
  }),
})

export const getReadinessRoute = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Check that this process can take requests',
  description:
    'For load balancers: 503 while this process is shutting down, and while it cannot reach PostgreSQL. Whatever other processes would answer as well, such as that runs are stuck, is in /statusz.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'The process can take requests.', component: 'Health' },
  handle: async ({ app, db, deps }) => {
    if (deps.ending?.aborted) throw new AppError('unavailable', { message: 'This process is shutting down.' })
    await probe({ app, db, deps })
    return { status: 'ok' }
  },
})
