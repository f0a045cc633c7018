import { HostError } from '#adapters/codehosts/code-host.ts'
import type { HostInspection, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import type { App } from '#app/app.ts'
import type { ConnectionCheck } from '#base/hosts/connection-check.ts'
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
import { keepHooks } from './webhooks/keep-hooks.ts'

type SyncApp = Pick<App, 'pool' | 'secretBox' | 'remoteHosts' | 'clock' | 'logger' | 'publicUrl' | 'mask'>

/** Looks how one integration stands at its host, lists its repositories, and brings their rows up to date. */
export const syncIntegration = (async (app: SyncApp, job: ClaimedJob) => {
  const { organizationId, ref } = job
  const integration = await openIntegration(app.pool, app.secretBox, { organizationId, integrationId: Number(ref) })
  if (!integration?.active) return
  const host = app.remoteHosts[integration.kind]
  // What was found before something failed is kept.
  const found: ConnectionCheck[] = []
  try {
    const { opened, halted, checks } = await inspectInstalled(app, host, integration)
    found.push(...checks)
    if (halted) {
      await finishSync(app.pool, { job, halted, checks: found, problem: problemsIn(found), isDone: false })
      return { againInMs: haltedPauseOf(app, integration, halted) }
    }
    found.push(await listRepositories(app, host, opened))
    found.push(await keepHooks(app, { host, integration: opened }))
    await redeliver(app, host, opened)
    await finishSync(app.pool, { job, halted, checks: found, problem: problemsIn(found), isDone: true })
    return { againInMs: limits.integrationSyncMs }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    const checks = [...found, ...(found.length ? [] : [refusedBy(error)])]
    await finishSync(app.pool, { job, checks, problem: error.message, isDone: false })
    return { againInMs: pauseOf({ pauseMs: limits.integrationSyncMs, error }) }
  }
}) satisfies JobHandler

/** All that is wrong, in one text. */
function problemsIn(checks: readonly ConnectionCheck[]): string | null {
  const problems = checks.filter(({ status }) => status === 'problem').map(({ message }) => message)
  return problems.length ? problems.join(' ') : null
}

/** The first thing that was asked was not answered. */
function refusedBy({ code, message }: HostError): ConnectionCheck {
  const isRefusal = code === 'unauthorized' || code === 'forbidden'
  return { name: 'credentials', status: isRefusal ? 'problem' : 'warning', message, url: null }
}

/** Somebody who has just made an App installs it now; who has suspended one takes it back some time. */
function haltedPauseOf(
  { clock }: SyncApp,
  { createdAt }: OpenIntegration,
  halted: NonNullable<HostInspection['halted']>,
): number {
  const isNew = clock.now().getTime() - createdAt.getTime() < hostLimits.installPolledMs
  return halted === 'uninstalled' && isNew ? hostLimits.installPollMs : hostLimits.haltedSyncMs
}

type Inspected = HostInspection & { opened: OpenIntegration }

/** An App that was just made is installed by a person, sooner or later; one that was removed and installed anew has another id there. */
async function inspectInstalled(app: SyncApp, host: RemoteHost, integration: OpenIntegration): Promise<Inspected> {
  const { appId, installationId } = integration
  if (appId === null || installationId !== null) {
    const inspection = await host.inspect(connectionOf(integration))
    if (inspection.halted !== 'uninstalled') return { ...inspection, opened: integration }
  }
  const { problem, ...identity } = await host.identify(connectionOf({ ...integration, installationId: null }))
  if (identity.installationId === null) {
    const message = problem ?? 'The GitHub App is not installed on any account.'
    return {
      halted: 'uninstalled',
      opened: integration,
      checks: [{ name: 'installation', status: 'problem', message, url: null }],
    }
  }
  const { organizationId, id: integrationId } = integration
  const known = { organizationId, integrationId, ...identity, bot: identity.bot ?? undefined }
  const updated = await updateIntegration(app.pool, app.secretBox, known)
  const opened = { ...updated, credentials: integration.credentials }
  return { ...(await host.inspect(connectionOf(opened))), opened }
}

/** What the host could not bring us since the last time, within the days for which hosts keep it. */
async function redeliver({ clock, logger }: SyncApp, host: RemoteHost, integration: OpenIntegration): Promise<void> {
  const oldest = new Date(clock.now().getTime() - hostLimits.redeliveredMs)
  const since = integration.syncedAt && integration.syncedAt > oldest ? integration.syncedAt : oldest
  const again = await host.redeliverFailed(connectionOf(integration), since)
  if (again) logger.info({ integrationId: integration.id, again }, 'webhooks that were not delivered are sent again')
}

/** Brings their rows up to date, and says what people should know of them. */
async function listRepositories(
  { pool }: SyncApp,
  host: RemoteHost,
  integration: OpenIntegration,
): Promise<ConnectionCheck> {
  const { organizationId, id: integrationId, kind } = integration
  const { repositories, isCut } = await host.listRepositories(connectionOf(integration))
  const listed = { organizationId, integrationId, host: kind, repos: repositories, areAll: !isCut }
  const { taken } = await saveHostRepos(pool, listed)
  const named = taken.slice(0, limits.conflictsNamedMax).join(', ')
  const problem = taken.length
    ? `Left out, since the organization has others of these names: ${named}.`
    : isCut
      ? `There are more than ${limits.hostReposMax} repositories. Connect the others one by one.`
      : null
  const count = `${repositories.length} ${repositories.length === 1 ? 'repository is' : 'repositories are'} listed.`
  return { name: 'repositories', status: problem ? 'problem' : 'ok', message: problem ?? count, url: null }
}
