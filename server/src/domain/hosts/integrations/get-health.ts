import {
  connectionCheckNames,
  connectionCheckStatuses,
  type ConnectionCheck,
  type ConnectionCheckName,
} from '#base/hosts/connection-check.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'
import type { Db } from '#db/pool.ts'
import { findActivity, type Activity, type FailedWork } from './find-activity.ts'
import { getIntegration, type IntegrationIds } from './get-integration.ts'
import type { Integration } from './integration.ts'

/** `at`: when what it is about last happened, where that matters. */
export type HealthCheck = ConnectionCheck & { at: Date | null }

/** How a connection to a code host stands: as bad as the worst of its checks. */
export type Health = { integration: Integration; status: ConnectionCheck['status']; checks: HealthCheck[] }

/** From what is stored alone; the sync asks the host. Throws `integration_not_found`. */
export async function getHealth(db: Db, ids: IntegrationIds & { publicUrl: string }): Promise<Health> {
  const integration = await getIntegration(db, ids)
  const checks = describe(integration, await findActivity(db, ids), ids)
  const rank = ({ status }: HealthCheck) => connectionCheckStatuses.indexOf(status)
  return { integration, status: connectionCheckStatuses[Math.max(...checks.map(rank))] ?? 'ok', checks }
}

function describe(
  integration: Integration,
  activity: Activity,
  { organizationId, publicUrl }: { organizationId: number; publicUrl: string },
): HealthCheck[] {
  if (!integration.active) return [{ ...say('credentials', 'warning', switchedOff), at: null }]
  const found = connectionCheckNames.flatMap((name): HealthCheck[] => {
    const check = integration.checks[name]
    return check ? [{ name, ...check, at: null }] : []
  })
  const page = `${trimTrailing(publicUrl, '/')}/organizations/${organizationId}/repos`
  const known: HealthCheck[] = found.some(({ name }) => name === 'credentials')
    ? found
    : [{ ...say('credentials', 'warning', notSynced), at: null }, ...found]
  // While the host lets nobody in, nothing else can be well, and says nothing besides.
  const rest = integration.halted ? [] : [...deliveriesOf(integration, activity), ...looksOf(activity)]
  return [
    ...known.filter(({ name }) => !integration.halted || aboutAccess.has(name)),
    ...rest,
    failuresOf(activity.failed, page),
  ].sort((a, b) => connectionCheckNames.indexOf(a.name) - connectionCheckNames.indexOf(b.name))
}

const aboutAccess: ReadonlySet<ConnectionCheckName> = new Set(['credentials', 'installation'])
const switchedOff = 'The integration is switched off. Its repositories are not connected.'
const notSynced = 'The connection was not checked yet. This takes some seconds.'

const say = (name: ConnectionCheckName, status: ConnectionCheck['status'], message: string): ConnectionCheck => ({
  name,
  status,
  message,
  url: null,
})

/** Where none can arrive, the check of webhooks says why. */
function deliveriesOf({ checks }: Integration, { deliveredAt: at }: Activity): HealthCheck[] {
  if (at) return [{ ...say('deliveries', 'ok', 'Webhooks arrive.'), at }]
  return checks.webhooks?.status === 'ok' ? [{ ...say('deliveries', 'warning', noneArrived), at: null }] : []
}

const noneArrived =
  'No webhook has arrived within 7 days. If something happened there meanwhile, look at the recent deliveries of the webhook at GitHub.'

function looksOf({ looks, failedLooks, lookedAt: at, lookProblem }: Activity): HealthCheck[] {
  if (!looks) return []
  if (!failedLooks) return [{ ...say('polls', 'ok', 'Events are looked for in each repository.'), at }]
  const message = `Events could not be looked for in ${failedLooks} of ${looks} repositories: ${lookProblem}`
  return [{ ...say('polls', failedLooks === looks ? 'problem' : 'warning', message), at }]
}

function failuresOf(failed: FailedWork | null, page: string): HealthCheck {
  if (!failed) return { ...say('jobs', 'ok', 'All events were handled.'), at: null }
  const { repo, subject, problem, isGivenUp, at } = failed
  const what = `Work for ${repo}${subject ? ` (${subject.replace(':', ' ')})` : ''} failed`
  if (!isGivenUp) return { ...say('jobs', 'warning', `${what} and is tried again: ${problem}`), at }
  return {
    ...say('jobs', 'problem', `${what} at every try: ${problem} Fix the cause, then retry it under Failed jobs.`),
    url: page,
    at,
  }
}
