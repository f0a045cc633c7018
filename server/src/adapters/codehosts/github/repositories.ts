import { HostError } from '#adapters/codehosts/code-host.ts'
import type {
  HostAccess,
  HostConnection,
  HostIdentity,
  HostRepository,
  RemoteHost,
} from '#adapters/codehosts/remote-host.ts'
import { limits } from '#base/limits.ts'
import { notInstalled } from './app-forms.ts'
import type { Ask, GitHubClient, Need } from './client.ts'
import { readPages } from './read-pages.ts'

const need: Need = { metadata: 'read' }

type Repositories = Pick<RemoteHost, 'identify' | 'listRepositories' | 'findRepository'>

export function openRepositories(client: GitHubClient): Repositories {
  return {
    identify: (access) => ('token' in access.credentials ? identifyToken(client, access) : identifyApp(client, access)),
    listRepositories: (connection) => listRepositories(client, connection),
    findRepository: async (connection, { fullName, hostRepoId }) => {
      const ask = await client.askAs(connection, { need })
      const [owner = '', repo = '', ...rest] = fullName.split('/')
      if (!owner || !repo || rest.length)
        throw new HostError('invalid', `"${fullName}" is no repository's name: it is like acme/web.`)
      // GitHub leads from a former name to the repository, until another one has that name.
      const found = readRepository((await ask('GET /repos/{owner}/{repo}', { owner, repo })).data)
      if (hostRepoId === undefined || found.hostRepoId === hostRepoId) return found
      const { repositories } = await listRepositories(client, connection)
      const known = repositories.find((each) => each.hostRepoId === hostRepoId)
      if (!known) throw new HostError('not_found', `GitHub does not show the repository that was called ${fullName}.`)
      return known
    },
  }
}

async function listRepositories(client: GitHubClient, connection: HostConnection) {
  const ask = await client.askAs(connection, { need })
  const isApp = 'privateKey' in connection.credentials
  const { items, isCut } = await readPages<Shown>(async (page) => {
    if (!isApp) return ask('GET /user/repos', page)
    const { data, headers } = await ask('GET /installation/repositories', page)
    return { data: data.repositories, headers }
  }, limits.hostReposMax)
  return { repositories: items.map(readRepository), isCut }
}

async function identifyToken(client: GitHubClient, access: HostAccess): Promise<HostIdentity> {
  const { credentials } = access
  const token = 'token' in credentials ? credentials.token : ''
  const { data } = await client.askWithToken(access, token)('GET /user')
  return { account: data.login, bot: { id: String(data.id), login: data.login }, installationId: null, problem: null }
}

async function identifyApp(client: GitHubClient, access: HostAccess): Promise<HostIdentity> {
  const ask = client.askAsApp(access)
  const { data: app } = await ask('GET /app')
  const [installation, ...others] = await findInstallations(ask, access.installationId)
  if (!installation || others.length) {
    const problem = installation ? severalInstallations : notInstalled(app?.html_url ?? '')
    return { account: null, bot: null, installationId: null, problem }
  }
  const login = `${app?.slug}[bot]`
  const connection = { ...access, integrationId: 0, bot: null, installationId: installation.id }
  const { token } = (
    await ask('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: connection.installationId,
      permissions: { metadata: 'read' },
    })
  ).data
  const { data: user } = await client.askWithToken(access, token)('GET /users/{username}', { username: login })
  const { account, id: installationId } = installation
  return { account, bot: { id: String(user.id), login }, installationId, problem: null }
}

const severalInstallations = 'The GitHub App is installed in several places: say which one by its installation_id.'

/** The one that is wanted; without a wish all, of which two are enough to know that there is a choice. */
async function findInstallations(ask: Ask, installationId: number | null): Promise<{ id: number; account: string }[]> {
  const found =
    installationId === null
      ? (await ask('GET /app/installations', { per_page: 2 })).data
      : [(await ask('GET /app/installations/{installation_id}', { installation_id: installationId })).data]
  return found.map(({ id, account }) => ({ id, account: accountOf(account) }))
}

const accountOf = (account: { login?: string; slug?: string } | null) => account?.login ?? account?.slug ?? 'unknown'

type Shown = {
  id: number | bigint
  full_name: string
  html_url: string
  description: string | null
  default_branch?: string | undefined
  visibility?: string | undefined
  private: boolean
  archived?: boolean | undefined
  language?: string | null | undefined
}

function readRepository(shown: Shown): HostRepository {
  const { visibility } = shown
  return {
    hostRepoId: String(shown.id),
    fullName: shown.full_name,
    url: shown.html_url,
    description: shown.description,
    defaultBranch: shown.default_branch ?? 'main',
    visibility: visibility === 'internal' ? visibility : shown.private ? 'private' : 'public',
    archived: shown.archived ?? false,
    language: shown.language ?? null,
  }
}
