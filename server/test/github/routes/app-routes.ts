import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { accountOf, isEnough, needInstallation, sees } from '#test/github/authorize.ts'
import { GitHubError, invalid, notFound } from '#test/github/github-error.ts'
import { page, textsOf, type Call, type Route } from '#test/github/route.ts'
import { nodeId, showAccount, showApp, showInstallation, showRepository } from '#test/github/show.ts'
import {
  addAccount,
  addToken,
  findAccount,
  isInstalledOn,
  smallId,
  type Account,
  type App,
  type Installation,
  type Permissions,
  type Repository,
  type World,
} from '#test/github/world.ts'

export const appRoutes: Route[] = [
  { at: 'GET /app', only: 'app', answer: ({ world, by }) => ({ body: showApp(world, appOf(by)) }) },
  { at: 'GET /apps/{slug}', answer: getApp },
  {
    at: 'GET /app/installations',
    only: 'app',
    answer: (call) => {
      const of = call.world.installations.filter((each) => each.app === appOf(call.by))
      return page(
        call,
        of.map((each) => showInstallation(call.world, each)),
      )
    },
  },
  {
    at: 'GET /app/installations/{id}',
    only: 'app',
    answer: (call) => ({ body: showInstallation(call.world, installationIn(call)) }),
  },
  { at: 'POST /app/installations/{id}/access_tokens', only: 'app', answer: createAccessToken },
  {
    at: 'DELETE /installation/token',
    answer: ({ world, by }) => {
      needInstallation(by)
      if (by && 'text' in by) world.tokens.delete(by.text)
      return { status: 204 }
    },
  },
  { at: 'GET /repos/{owner}/{repo}/installation', only: 'app', answer: findInstallation },
  { at: 'GET /installation/repositories', answer: listRepositories },
  { at: 'POST /app-manifests/{code}/conversions', only: 'nobody', answer: convertManifest },
  {
    at: 'GET /user',
    answer: ({ world, by }) => ({ body: showWhole(world, needPerson(by)), headers: tokenHeaders(by) }),
  },
  { at: 'GET /user/repos', answer: listOwn },
  {
    at: 'GET /users/{login}',
    answer: ({ world, params }) => ({ body: showWhole(world, findAccount(world, params['login'] ?? '')) }),
  },
  {
    at: 'GET /user/{id}',
    answer: ({ world, params }) => {
      const account = [...world.accounts.values()].find((each) => String(each.id) === params['id'])
      if (!account) throw notFound()
      return { body: showWhole(world, account) }
    },
  },
]

export function appOf(by: Call['by']): App {
  if (!by || !('app' in by)) throw new GitHubError(401, 'A JSON web token could not be decoded')
  return by.app
}

function needPerson(by: Call['by']): Account {
  const account = accountOf(by)
  if (by && 'token' in by && by.token.installation) throw new GitHubError(403, 'Resource not accessible by integration')
  return account
}

/** What GitHub says of the token itself. */
function tokenHeaders(by: Call['by']): Record<string, string> {
  if (!by || 'app' in by) return {}
  const { expiresAt, scopes } = by.token
  const text = expiresAt
    ?.toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, ' UTC')
  return {
    ...(text && { 'github-authentication-token-expiration': text }),
    ...(scopes && { 'x-oauth-scopes': scopes.join(', ') }),
  }
}

const showWhole = (world: World, account: Account) => ({
  ...showAccount(world, account),
  name: account.login,
  email: account.email,
})

function getApp({ world, params }: Call) {
  const app = world.apps.find((each) => each.slug === params['slug'])
  if (!app) throw notFound()
  return { body: showApp(world, app) }
}

function installationIn({ world, params, by }: Call): Installation {
  const found = world.installations.find((each) => String(each.id) === params['id'] && each.app === appOf(by))
  if (!found) throw notFound()
  return found
}

function createAccessToken(call: Call) {
  const { world, body } = call
  const installation = installationIn(call)
  if (installation.isSuspended) throw new GitHubError(403, 'This installation has been suspended')
  const all = world.repositories.filter((each) => isInstalledOn(installation, each))
  const names = textsOf(call, 'repositories')
  const ids = textsOf(call, 'repository_ids')
  const request = all.filter((each) => names.includes(each.name) || ids.includes(String(each.id)))
  const isNarrow = names.length + ids.length > 0
  if (isNarrow && request.length < new Set([...names, ...ids]).size)
    throw new GitHubError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  const granted: Permissions = { metadata: 'read', ...installation.permissions }
  const permissions = (body['permissions'] as Permissions | undefined) ?? granted
  for (const [name, level] of Object.entries(permissions))
    if (!isEnough(granted[name], level))
      throw new GitHubError(422, 'The permissions requested are not granted to this installation.')
  const expiresAt = new Date(Date.now() + world.tokenSeconds * 1_000)
  const options: Permissions = { metadata: 'read', ...permissions }
  const repositories = isNarrow ? new Set<Repository>(request) : installation.repositories
  const { bot: account } = installation.app
  const token = addToken(world, { account, installation, repositories, permissions: options, expiresAt })
  return {
    status: 201,
    body: {
      token,
      expires_at: expiresAt.toISOString().replace(/\.\d+Z/, 'Z'),
      permissions: options,
      repository_selection: repositories ? 'selected' : 'all',
      ...(isNarrow && { repositories: request.map((each) => showRepository(world, each)) }),
    },
  }
}

function findInstallation({ world, by, repository }: Call) {
  const found = world.installations.find((each) => each.app === appOf(by) && isInstalledOn(each, repository))
  if (!found) throw notFound()
  return { body: showInstallation(world, found) }
}

function listRepositories(call: Call) {
  const { world, by } = call
  const installation = needInstallation(by)
  const scope = by && 'token' in by ? by.token.repositories : null
  const seen = world.repositories.filter(
    (each) => isInstalledOn(installation, each) && (scope === null || scope.has(each)),
  )
  return page(
    call,
    seen.map((each) => showRepository(world, each)),
    (repositories) => ({
      total_count: seen.length,
      repository_selection: installation.repositories ? 'selected' : 'all',
      repositories,
    }),
  )
}

function listOwn(call: Call) {
  const person = needPerson(call.by)
  const mine = call.world.repositories.filter(
    (each) => sees(call.by, each) && (each.owner === person || each.roles.has(person.id)),
  )
  return page(
    call,
    mine.map((each) => showRepository(call.world, each, person)),
  )
}

function convertManifest({ world, params }: Call) {
  const code = params['code'] ?? ''
  const manifest = world.manifests.get(code)
  if (!manifest) throw notFound()
  world.manifests.delete(code)
  const hook = manifest['hook_attributes'] as { url?: string; active?: boolean } | undefined
  const name = manifest['name']
  if (typeof name !== 'string') throw invalid('Integration', { field: 'name', code: 'missing_field' })
  const { app, webhookSecret } = addApp(world, {
    name,
    owner: manifest['owner'] as Account,
    permissions: (manifest['default_permissions'] ?? {}) as Permissions,
    events: (manifest['default_events'] ?? []) as string[],
    webhookUrl: hook?.active === false ? '' : (hook?.url ?? ''),
  })
  return {
    status: 201,
    body: {
      ...showApp(world, app),
      client_secret: app.clientSecret,
      webhook_secret: webhookSecret,
      pem: app.pem,
    },
  }
}

export type AddApp = {
  name: string
  owner: Account
  permissions: Permissions
  events: string[]
  webhookUrl?: string
  webhookSecret?: string
}

export function addApp(world: World, options: AddApp): { app: App; webhookSecret: string } {
  const slug = options.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  if (world.apps.some((app) => app.slug === slug)) throw invalid('Integration', 'Name is already taken')
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const app: App = {
    id: smallId(world),
    slug,
    name: options.name,
    clientId: `Iv23li${randomBytes(7).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    owner: options.owner,
    bot: addAccount(world, `${slug}[bot]`, 'Bot'),
    permissions: options.permissions,
    events: options.events,
    publicKey: keys.publicKey,
    pem: keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  }
  world.apps.push(app)
  const webhookSecret = options.webhookSecret ?? randomBytes(20).toString('hex')
  const { events, webhookUrl: url = '' } = options
  world.hooks.push({
    id: smallId(world),
    owner: app,
    url,
    secret: webhookSecret,
    events,
    isActive: url !== '',
    contentType: 'json',
  })
  return { app, webhookSecret }
}

export function install(
  world: World,
  installation: Omit<Installation, 'id' | 'isSuspended' | 'createdAt'>,
): Installation {
  const made = { ...installation, id: smallId(world), isSuspended: false, createdAt: new Date() }
  world.installations.push(made)
  tellOf(world, made, 'created')
  return made
}

/** What its account does with it later. */
export function changeInstallation(
  world: World,
  installation: Installation,
  action: 'deleted' | 'suspend' | 'unsuspend',
): void {
  installation.isSuspended = action === 'suspend'
  if (action === 'deleted') {
    world.installations = world.installations.filter((each) => each !== installation)
    for (const [text, token] of world.tokens) if (token.installation === installation) world.tokens.delete(text)
  }
  tellOf(world, installation, action)
}

function tellOf(world: World, installation: Installation, action: string): void {
  const repositories = world.repositories
    .filter((each) => isInstalledOn(installation, each))
    .map(({ id, name, owner, isPrivate }) => ({
      id,
      node_id: nodeId('Repository', id),
      name,
      full_name: `${owner.login}/${name}`,
      private: isPrivate,
    }))
  const { account: by } = installation
  world.tell({ event: 'installation', action, repository: null, by, installation, payload: { repositories } })
}
