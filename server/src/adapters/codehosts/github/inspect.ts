import type { ConnectionCheck } from '#base/hosts/connection-check.ts'
import type { HostConnection, HostInspection, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { appPermissions, notInstalled } from './app-forms.ts'
import { appSettings } from './app-settings.ts'
import type { GitHubClient } from './client.ts'
import { webUrl } from './web-url.ts'

/** Compares what GitHub lets us do with what is needed. */
export function openInspections(client: GitHubClient): Pick<RemoteHost, 'inspect'> {
  return {
    inspect: (connection) =>
      'token' in connection.credentials ? inspectToken(client, connection) : inspectApp(client, connection),
  }
}

const dayMs = 24 * 60 * 60_000
const warnedMs = 14 * dayMs

async function inspectToken(client: GitHubClient, connection: HostConnection): Promise<HostInspection> {
  const { data, headers } = await (await client.askAs(connection, { need: {} }))('GET /user')
  const url = `${webUrl(connection.baseUrl)}/settings/tokens`
  const endsAt = new Date(String(headers['github-authentication-token-expiration'] ?? NaN))
  const isEnding = endsAt.getTime() - client.now().getTime() < warnedMs
  const ending = isNaN(endsAt.getTime()) ? '' : ` The token expires on ${endsAt.toISOString().slice(0, 10)}.`
  const hint = isEnding ? ' Replace it before then.' : ''
  const credentials = `GitHub accepts the token of ${data.login}.${ending}${hint}`
  const checks: ConnectionCheck[] = [
    { name: 'credentials', status: isEnding ? 'warning' : 'ok', message: credentials, url },
  ]
  // Only tokens of the older kind have scopes, and say which.
  const scopes = headers['x-oauth-scopes']?.split(',').map((scope) => scope.trim())
  if (scopes && !scopes.includes('repo')) checks.push({ name: 'permissions', status: 'problem', message: noScope, url })
  else checks.push({ name: 'permissions', status: 'ok', message: asOwner(data.login), url: null })
  return { halted: null, checks }
}

const noScope = 'The token lacks the scope "repo", without which private repositories cannot be read or changed.'
const asOwner = (login: string) => `The token may do what ${login} allows it to; each repository shows what is missing.`

async function inspectApp(client: GitHubClient, connection: HostConnection): Promise<HostInspection> {
  const ask = client.askAsApp(connection)
  const { data: app } = await ask('GET /app')
  const accepted = {
    name: 'credentials',
    status: 'ok',
    message: 'GitHub accepts the key of the App.',
    url: null,
  } as const
  const installation = await findInstallation(ask, connection.installationId)
  if (!installation) {
    const at = { message: notInstalled(app?.html_url ?? ''), url: `${app?.html_url ?? ''}/installations/new` }
    return { halted: 'uninstalled', checks: [accepted, { name: 'installation', status: 'problem', ...at }] }
  }
  const { html_url: url, suspended_at: suspendedAt, account } = installation
  const name = account && 'login' in account ? account.login : 'its account'
  if (suspendedAt !== null) {
    const message = `The GitHub App is suspended on ${name}: unsuspend it at ${url}.`
    return { halted: 'suspended', checks: [accepted, { name: 'installation', status: 'problem', message, url }] }
  }
  const installed = { name: 'installation', status: 'ok', message: `The App is installed on ${name}.`, url } as const
  const settings = `${appSettings(app, connection.baseUrl)}/permissions`
  const granted = comparePermissions({
    requested: app?.permissions ?? {},
    granted: installation.permissions,
    url,
    settings,
  })
  return { halted: null, checks: [accepted, installed, granted] }
}

async function findInstallation(ask: ReturnType<GitHubClient['askAsApp']>, id: number | null) {
  if (id === null) return null
  try {
    return (await ask('GET /app/installations/{installation_id}', { installation_id: id })).data
  } catch (error) {
    if (error instanceof HostError && error.code === 'not_found') return null
    throw error
  }
}

type Permissions = Partial<Record<string, string>>
type Compare = { requested: Permissions; granted: Permissions; url: string; settings: string }

/** What the App does not ask for its owner adds; what it asks for, whoever has installed it accepts. */
function comparePermissions({ requested, granted, url, settings }: Compare): ConnectionCheck {
  const needed = Object.entries(appPermissions) as [keyof typeof appPermissions, string][]
  const missing = needed.filter(([name, level]) => !isEnough(granted[name], level))
  if (!missing.length)
    return { name: 'permissions', status: 'ok', message: 'The App has all permissions that it needs.', url: null }
  const isRequested = missing.every(([name, level]) => isEnough(requested[name], level))
  const names = missing.map(([name, level]) => `${words[name]} (${level})`).join(', ')
  const first = isRequested ? '' : `add them to the App at ${settings}, then `
  const message = `The GitHub App lacks permissions: ${names}. To fix this, ${first}accept them at ${url}.`
  return { name: 'permissions', status: 'problem', message, url: isRequested ? url : settings }
}

const levels = [undefined, 'read', 'write', 'admin']
const isEnough = (held: string | undefined, level: string) => levels.indexOf(held) >= levels.indexOf(level)

const words: Record<keyof typeof appPermissions, string> = {
  metadata: 'Metadata',
  contents: 'Contents',
  pull_requests: 'Pull requests',
  issues: 'Issues',
  checks: 'Checks',
  statuses: 'Commit statuses',
  actions: 'Actions',
}
