import { HostError } from '#adapters/codehosts/code-host.ts'
import type { RemoteHost } from '#adapters/codehosts/remote-host.ts'
import type { App } from '#app/app.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { limits } from '#base/limits.ts'
import { connectionOf } from '#domain/hosts/integrations/connection-of.ts'
import { finishSync } from '#domain/hosts/integrations/finish-sync.ts'
import { openIntegration, type OpenIntegration } from '#domain/hosts/integrations/open-integration.ts'
import { updateIntegration } from '#domain/hosts/integrations/update-integration.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { saveHostRepos } from '#domain/repos/repos/save-host-repos.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import { pauseOf } from '#worker/jobs/pause-of.ts'

type SyncApp = Pick<App, 'pool' | 'secretBox' | 'remoteHosts' | 'clock' | 'logger'>

/** Lists the repositories of one integration, and brings their rows up to date. */
export const syncIntegration = (async (app: SyncApp, job: ClaimedJob) => {
  const { organizationId, ref } = job
  const integration = await openIntegration(app.pool, app.secretBox, { organizationId, integrationId: Number(ref) })
  if (!integration?.active) return
  const pauseMs = limits.integrationSyncMs
  try {
    const host = app.remoteHosts[integration.kind]
    const problem = await syncInstalled(app, host, integration)
    await redeliver(app, host, integration)
    await finishSync(app.pool, { job, problem, isDone: true })
    return { againInMs: pauseMs }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    await finishSync(app.pool, { job, problem: error.message, isDone: false })
    return { againInMs: pauseOf(app, { pauseMs, error }) }
  }
}) satisfies JobHandler

/** An App that was removed and installed anew has another id there. */
async function syncInstalled(app: SyncApp, host: RemoteHost, integration: OpenIntegration): Promise<string | null> {
  try {
    return await sync(app, host, await installed(app, host, integration))
  } catch (error) {
    const isGone = error instanceof HostError && error.code === 'not_found' && integration.installationId !== null
    if (!isGone) throw error
    return sync(app, host, await installed(app, host, { ...integration, installationId: null }))
  }
}

/** An App that was just made is installed by a person, sooner or later. */
async function installed(app: SyncApp, host: RemoteHost, integration: OpenIntegration): Promise<OpenIntegration> {
  if (integration.appId === null || integration.installationId !== null) return integration
  const { account, bot, installationId, problem } = await host.identify(connectionOf(integration))
  if (installationId === null)
    throw new HostError('forbidden', problem ?? 'The GitHub App is not installed on any account.')
  const { organizationId, id: integrationId } = integration
  const found = { organizationId, integrationId, account, bot: bot ?? undefined, installationId }
  return { ...(await updateIntegration(app.pool, app.secretBox, found)), credentials: integration.credentials }
}

/** What the host could not bring us since the last time, within the days for which hosts keep it. */
async function redeliver({ clock, logger }: SyncApp, host: RemoteHost, integration: OpenIntegration): Promise<void> {
  const oldest = new Date(clock.now().getTime() - hostLimits.redeliveredMs)
  const since = integration.syncedAt && integration.syncedAt > oldest ? integration.syncedAt : oldest
  const again = await host.redeliverFailed(connectionOf(integration), since)
  if (again) logger.info({ integrationId: integration.id, again }, 'webhooks that were not delivered are sent again')
}

/** What people should know of it; null where all is well. */
async function sync({ pool }: SyncApp, host: RemoteHost, integration: OpenIntegration): Promise<string | null> {
  const { organizationId, id: integrationId, kind } = integration
  const { repositories, isCut } = await host.listRepositories(connectionOf(integration))
  const listed = { organizationId, integrationId, host: kind, repos: repositories, areAll: !isCut }
  const { taken } = await saveHostRepos(pool, listed)
  const named = taken.slice(0, limits.conflictsNamedMax).join(', ')
  if (taken.length) return `Left out, since the organization has others of these names: ${named}.`
  return isCut ? `There are more than ${limits.hostReposMax} repositories. Connect the others one by one.` : null
}
