import { createHmac } from 'node:crypto'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { RemoteHost } from '#adapters/codehosts/remote-host.ts'
import type { App } from '#app/app.ts'
import type { ConnectionCheck } from '#base/hosts/connection-check.ts'
import { addWebhookSecret } from '#domain/hosts/integrations/add-webhook-secret.ts'
import { connectionOf } from '#domain/hosts/integrations/connection-of.ts'
import { countHooks } from '#domain/hosts/integrations/count-hooks.ts'
import { listHooks, type RepoHook } from '#domain/hosts/integrations/list-hooks.ts'
import type { OpenIntegration } from '#domain/hosts/integrations/open-integration.ts'
import { saveAppHook } from '#domain/hosts/integrations/save-app-hook.ts'
import { saveHook } from '#domain/hosts/integrations/save-hook.ts'
import { isReachable, webhookUrl } from '#domain/hosts/integrations/webhook-url.ts'

type HookApp = Pick<App, 'pool' | 'secretBox' | 'publicUrl' | 'mask'>
type Keep = { host: RemoteHost; integration: OpenIntegration; url: string; secret: string; digest: string }

/**
 * Has the host send its webhooks here, where it can reach us: the one of an App, or those of a token's repositories, some at
 * each sync. Safe to repeat. What cannot be made or repaired is said, and keeps nothing else from being done.
 */
export async function keepHooks(
  app: HookApp,
  { host, integration }: Pick<Keep, 'host' | 'integration'>,
): Promise<ConnectionCheck> {
  const url = webhookUrl(app.publicUrl, integration)
  if (!isReachable(url)) return { name: 'webhooks', status: 'warning', message: notReachable, url: null }
  const secret = await addWebhookSecret(app.pool, app.secretBox, {
    organizationId: integration.organizationId,
    integrationId: integration.id,
  })
  const keep = { host, integration, url, secret, digest: digestOf(integration, { url, secret }) }
  return integration.appId === null ? keepOfRepositories(app, keep) : keepOfApp(app, keep)
}

const notReachable =
  'Runwright has no public HTTPS address (RUNWRIGHT_PUBLIC_URL), so no webhooks can arrive. It looks at each repository itself, every minute while something happens there.'

/** Keyed by what is never stored in the clear, as a secret that somebody has chosen could be guessed. */
function digestOf({ credentials }: OpenIntegration, { url, secret }: Pick<Keep, 'url' | 'secret'>): string {
  const key = credentials.token ?? credentials.privateKey ?? ''
  return createHmac('sha256', key)
    .update(JSON.stringify([url, secret]))
    .digest('base64url')
}

async function keepOfApp({ pool, mask }: HookApp, keep: Keep): Promise<ConnectionCheck> {
  const { host, integration, url, secret, digest } = keep
  const { organizationId, id: integrationId, hookDigest } = integration
  try {
    const target = { url, secret, isKnown: hookDigest === digest }
    const { check, isOurs } = await host.keepAppHook(connectionOf(integration), target)
    await saveAppHook(pool, { organizationId, integrationId, digest: isOurs ? digest : null })
    return check
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    const message = `The webhook of the App could not be checked. ${mask(error.message)}`
    return { name: 'webhooks', status: 'warning', message, url: null }
  }
}

async function keepOfRepositories(app: HookApp, keep: Keep): Promise<ConnectionCheck> {
  const { organizationId, id: integrationId } = keep.integration
  for (const hook of await listHooks(app.pool, { organizationId, integrationId }))
    if (!(await keepOne(app, keep, hook))) break
  const { total, kept, failed, name, problem } = await countHooks(app.pool, { organizationId, integrationId })
  if (failed) {
    const others = failed === 1 ? '' : ` and ${failed - 1} more`
    const message = `The webhook of ${name}${others} could not be created or repaired: ${problem}`
    return { name: 'webhooks', status: 'warning', message: `${message} ${hint}`, url: null }
  }
  const count = `${kept} of ${total} ${total === 1 ? 'repository sends its' : 'repositories send their'} webhooks here.`
  const rest = kept < total ? ' The others follow, some at each sync.' : ''
  return { name: 'webhooks', status: 'ok', message: count + rest, url: null }
}

const hint =
  'Give the token the right to manage webhooks ("admin:repo_hook", or "Webhooks: write"). Until then Runwright looks at the repository itself.'

/** Answers false where the host has had enough for now. */
async function keepOne(
  { pool, mask }: HookApp,
  keep: Keep,
  { repoId, name, digest: before }: RepoHook,
): Promise<boolean> {
  const { host, integration, url, secret, digest } = keep
  const { organizationId } = integration
  try {
    await host.keepRepositoryHook(connectionOf(integration), name, { url, secret, isKnown: before === digest })
    await saveHook(pool, { organizationId, repoId, digest, problem: null })
    return true
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    if (error.isPassing) return false
    await saveHook(pool, { organizationId, repoId, digest: null, problem: mask(error.message) })
    return true
  }
}
