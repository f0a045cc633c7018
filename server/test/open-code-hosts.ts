// The code hosts that the contract of one is held against, each with a way to make repositories there.
import path from 'node:path'
import { after } from 'node:test'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { RepositoryAdmin } from '#adapters/codehosts/local/repository-admin.ts'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { openRemote } from '#adapters/codehosts/remote/remote.ts'
import { systemClock } from '#base/clock.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { readRepoPath } from '#base/repo-path.ts'
import { Names } from '#base/network/names.ts'
import type { Db } from '#db/pool.ts'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import { saveHostPull } from '#domain/hosts/pulls/save-host-pull.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { saveHostRepos } from '#domain/repos/repos/save-host-repos.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { builtinForge } from '#app/builtin-forge.ts'
import type { CodeHost } from '#app/code-hosts.ts'
import { openRemoteHosts } from '#app/open-remote-hosts.ts'
import type pg from 'pg'
import { startGitHubServer, type GitHubServer } from './github-server.ts'
import type { Repository } from './github/world.ts'
import { makeOrganization, makeSecretBox, unique } from './make.ts'
import { testFolder } from './test-git.ts'

export type HostedRepository = CodeHost & { repo: RepoRef; repoId: number }
export type HostUnderTest = { pushBytesMax: number; makeRepository(): Promise<HostedRepository> }

const pushBytesMax = 1024 * 1024

export async function openLocalUnderTest(db: Db): Promise<HostUnderTest> {
  const publicUrl = 'https://runwright.test'
  const blobs = openFileBlobs({ folder: path.join(await testFolder(), 'blobs') })
  const local = openLocalHost({ folder: path.join(await testFolder(), 'repos'), pushBytesMax })
  const forge = builtinForge(db, { publicUrl, git: local, admin: local, blobs, clock: systemClock })
  return {
    pushBytesMax,
    makeRepository: async () => {
      const { id: organizationId } = await makeOrganization(db)
      const repo = await createRepo(db, { organizationId, admin: local, name: 'example' })
      return { git: local, forge, repo, repoId: repo.id }
    },
  }
}

/** A repository at the server, and our row of it. */
export type GitHubRepository = HostedRepository & {
  admin: RepositoryAdmin
  /** Where its mirror lies. */
  mirror: string
  repo: Repo
  there: Repository
  organizationId: number
  bot: HostActor
}
export type GitHubUnderTest = Omit<HostUnderTest, 'makeRepository'> & {
  server: GitHubServer
  makeRepository(): Promise<GitHubRepository>
}

/** The server, connected as an App, or by somebody's token. */
export async function openGitHubUnderTest(db: pg.Pool, by: 'app' | 'token' = 'app'): Promise<GitHubUnderTest> {
  const server = await startGitHubServer()
  after(() => server[Symbol.asyncDispose]())
  const folder = path.join(await testFolder(), 'repos')
  const local = openLocalHost({ folder, pushBytesMax })
  const { github } = openRemoteHosts({
    pool: db,
    clock: systemClock,
    secretBox: makeSecretBox(),
    privateHosts: ['127.0.0.1'],
    lookup: new Names().lookup,
  })
  const host = openRemote(github, {
    local,
    folder,
    take: ({ organizationId, path: at }, bytes) =>
      whyNotTaken(db, { organizationId, repoId: readRepoPath(at)?.repoId ?? null, runId: null, bytes }),
    requireHeld: async () => {},
    recordPull: ({ organizationId, path }, pull, runId) =>
      saveHostPull(db, { organizationId, repoId: Number(/(\d+)\.git$/.exec(path)?.[1]), pull, runId }),
  })
  const { app } = server.addApp({})
  async function connect(owner: string) {
    const { id: organizationId, adminId: userId } = await makeOrganization(db)
    const installation = server.install(app, { account: owner })
    const person = server.addPerson(`${owner}-bot`)
    const access =
      by === 'app'
        ? {
            organizationId,
            baseUrl: server.apiUrl,
            installationId: installation.id,
            credentials: { appId: app.id, privateKey: app.pem },
          }
        : { organizationId, baseUrl: server.apiUrl, installationId: null, credentials: { token: person.token } }
    const identity = await github.identify(access)
    const integration = await createIntegration(db, makeSecretBox(), {
      organizationId,
      kind: 'github',
      baseUrl: server.apiUrl,
      appId: by === 'app' ? app.id : null,
      ...identity,
      credentials: { ...(by === 'app' ? { privateKey: app.pem } : { token: person.token }), webhookSecrets: [] },
      userId,
    })
    const bot = { hostUserId: identity.bot!.id, login: identity.bot!.login, isBot: by === 'app' }
    return { organizationId, integration, bot, person }
  }
  return {
    pushBytesMax,
    server,
    makeRepository: async () => {
      const owner = unique('acme')
      const { organizationId, integration, bot, person } = await connect(owner)
      const there = await server.addRepository({ owner, name: 'example', roles: { [person.login]: 'admin' } })
      await there.git('update-ref', '-d', 'refs/heads/main')
      const ids = { organizationId, integrationId: integration.id }
      const { saved } = await saveHostRepos(db, {
        ...ids,
        host: 'github',
        areAll: true,
        repos: [hostRepo(there, server)],
      })
      const [repo] = saved
      if (!repo) throw new Error('it was not saved')
      return {
        ...host,
        admin: local,
        repo,
        repoId: repo.id,
        there,
        organizationId,
        bot,
        mirror: path.join(folder, repo.path),
      }
    },
  }
}

function hostRepo({ id, owner, name }: Repository, { url }: GitHubServer) {
  const fullName = `${owner.login}/${name}`
  const rest = { description: null, defaultBranch: 'main', visibility: 'private', archived: false, language: null }
  return { hostRepoId: String(id), fullName, url: `${url}/${fullName}`, ...rest }
}
