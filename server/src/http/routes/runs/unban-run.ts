import { organizationPath } from '#http/pipeline/route.ts'
import { defineBanRoute } from './ban-run.ts'

export const unbanRunRoute = defineBanRoute(
  {
    path: `${organizationPath}/agent/run/unban`,
    operationId: 'unbanRun',
    summary: 'Let a run fix checks of its pull request again',
    description: 'Also works for a run that was removed from its pull request. Resets its attempts.',
  },
  'unbanned',
)
