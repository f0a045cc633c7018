import type { ConnectionCheck } from '#base/hosts/connection-check.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { HookTarget, HostConnection, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import { appEvents } from './app-forms.ts'
import { appSettings } from './app-settings.ts'
import type { Ask, GitHubClient } from './client.ts'
import { readPages } from './read-pages.ts'

/** Webhooks that come to us, made and kept over the API. */
export function openHooks(client: GitHubClient): Pick<RemoteHost, 'keepAppHook' | 'keepRepositoryHook'> {
  return {
    keepAppHook: (connection, target) => keepAppHook(client.askAsApp(connection), connection, target),
    keepRepositoryHook: async (connection, fullName, target) => {
      const [owner = '', repo = ''] = fullName.split('/')
      await keepRepositoryHook(await client.askAs(connection, { need: {} }), { owner, repo }, target)
    },
  }
}

/** An App has one webhook. One that goes to another service is somebody's choice, and stays. */
async function keepAppHook(
  ask: Ask,
  { baseUrl }: HostConnection,
  { url, secret, isKnown }: HookTarget,
): Promise<{ check: ConnectionCheck; isOurs: boolean }> {
  const { data: app } = await ask('GET /app')
  const settings = appSettings(app, baseUrl)
  const warning = (message: string, at: string) =>
    ({ name: 'webhooks', status: 'warning', message: `${message} ${at}.`, url: at }) as const
  const now = await findAppHook(ask)
  if (!now)
    return {
      check: warning(`GitHub sends no webhooks: set the webhook URL of the App to ${url} at`, settings),
      isOurs: false,
    }
  if (now.url && !isSame(now.url, url)) {
    const message = `The App sends its webhooks to ${new URL(now.url).host}. To have them here, set its webhook URL to ${url} at`
    return { check: warning(message, settings), isOurs: false }
  }
  if (now.url !== url || now.content_type !== 'json' || !isKnown)
    // A parameter of the name `url` would be where Octokit sends the request.
    await ask('PATCH /app/hook/config', { data: { url, content_type: 'json', secret } })
  // Which events an App gets nobody can change over the API.
  const missing = appEvents.filter((event) => !app?.events.includes(event)).map((event) => event.replaceAll('_', ' '))
  if (!missing.length)
    return {
      check: { name: 'webhooks', status: 'ok', message: 'The App sends its webhooks here.', url: null },
      isOurs: true,
    }
  const message = `GitHub does not send all webhooks: subscribe the App to the events ${missing.join(', ')} at`
  return { check: warning(message, `${settings}/permissions`), isOurs: true }
}

/** Null where the App has none. */
async function findAppHook(ask: Ask) {
  try {
    return (await ask('GET /app/hook/config')).data
  } catch (error) {
    if (error instanceof HostError && error.code === 'not_found') return null
    throw error
  }
}

/** Ours, though this service may have had another address then: the path holds the key of the integration. */
function isSame(now: string | undefined, url: string): boolean {
  return now !== undefined && URL.canParse(now) && new URL(now).pathname === new URL(url).pathname
}

async function keepRepositoryHook(
  ask: Ask,
  at: { owner: string; repo: string },
  { url, secret, isKnown }: HookTarget,
): Promise<void> {
  const { items } = await readPages((page) => ask('GET /repos/{owner}/{repo}/hooks', { ...at, ...page }))
  const ours = items.find(({ config }) => isSame(config.url, url))
  const config = { url, content_type: 'json', secret }
  if (!ours) {
    await ask('POST /repos/{owner}/{repo}/hooks', { ...at, name: 'web', active: true, events: [...appEvents], config })
    return
  }
  const hasAll = ours.events.includes('*') || appEvents.every((event) => ours.events.includes(event))
  const isRight = ours.active && hasAll && ours.config.url === url && ours.config.content_type === 'json'
  if (isRight && isKnown) return
  const events = hasAll ? ours.events : [...new Set([...ours.events, ...appEvents])]
  await ask('PATCH /repos/{owner}/{repo}/hooks/{hook_id}', { ...at, hook_id: ours.id, active: true, events, config })
}
