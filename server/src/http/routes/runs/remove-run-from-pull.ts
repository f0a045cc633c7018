import { organizationPath } from '#http/pipeline/route.ts'
import { defineBanRoute } from './ban-run.ts'

export const removeRunFromPullRoute = defineBanRoute(
  {
    path: `${organizationPath}/agent/run/remove-from-pr`,
    operationId: 'removeRunFromPull',
    summary: 'Remove a run from its pull request',
    description: 'The run no longer fixes checks. Its current turn is stopped, no matter who requested it.',
  },
  'removed',
)
