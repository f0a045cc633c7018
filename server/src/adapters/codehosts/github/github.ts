import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import { Dialer } from '#adapters/codehosts/dial-out.ts'
import type { GitReach, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import type { Clock } from '#base/clock.ts'
import type { Asker, Lookup } from '#base/network/names.ts'
import { isIP } from 'node:net'
import { openAppForms } from './app-forms.ts'
import { openChecks } from './checks.ts'
import { GitHubClient, type ClientOptions } from './client.ts'
import { openComments } from './comments.ts'
import { openCommits } from './commits.ts'
import { openAssignments } from './assignments.ts'
import { openHooks } from './hooks.ts'
import { openInspections } from './inspect.ts'
import { openNews } from './list-news.ts'
import { noreplyOf } from './noreply-of.ts'
import { openPermissions } from './permissions.ts'
import { openPulls } from './pulls.ts'
import { openPushes } from './pushes.ts'
import { openRedeliveries } from './redeliver-failed.ts'
import { openRepositories } from './repositories.ts'
import { openReviews } from './reviews.ts'
import { openThreads } from './threads.ts'
import { webUrl } from './web-url.ts'

export type GitHubOptions = Pick<ClientOptions, 'findConnected' | 'onRefused'> & {
  clock: Clock
  /** Hosts that may be dialled though they are not public. */
  privateHosts: readonly string[]
  lookup: Lookup
  /** Told that a repository has another name by now. */
  onRenamed: (repo: RepoRef, fullName: string) => Promise<void>
}

/** GitHub, and GitHub Enterprise at its own address; by an App or by a token. */
export function openGitHub({ privateHosts, lookup, onRenamed, ...options }: GitHubOptions): RemoteHost {
  const client = new GitHubClient({ ...options, dialer: new Dialer({ privateHosts, lookup }) })
  const repositories = openRepositories(client)
  const reachGit: RemoteHost['reachGit'] = async (ref, { need, after }): Promise<GitReach> => {
    const { connection, hostRepoId, defaultBranch, ...known } = await options.findConnected(ref)
    let { fullName } = known
    if (after === 'renamed') {
      fullName = (await repositories.findRepository(connection, { fullName, hostRepoId })).fullName
      if (fullName !== known.fullName) await onRenamed(ref, fullName)
    }
    const at = { hostRepoId, need: { contents: need } }
    if (after === 'unauthorized') await client.refusedByGit(connection)
    const token = await client.tokenOf(connection, at)
    const address = new URL(`${webUrl(connection.baseUrl)}/${fullName}.git`)
    const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
    return {
      address: address.href,
      authorization,
      config: await pinned(client.dialer, { address, asker: connection.organizationId }),
      defaultBranch,
    }
  }
  return {
    ...repositories,
    ...openInspections(client),
    ...openHooks(client),
    ...openPulls(client),
    ...openPushes(client),
    ...openCommits(client),
    ...openComments(client),
    ...openReviews(client),
    ...openThreads(client),
    ...openChecks(client),
    ...openAssignments(client),
    ...openPermissions(client),
    ...openNews(client),
    ...openRedeliveries(client),
    appForms: openAppForms(client),
    noreplyOf,
    reachGit,
    dial: (request) => client.dialer.send(request),
    lookAtGit: async (ref, need) => {
      const { address, authorization } = await reachGit(ref, { need, after: null })
      const service = need === 'read' ? 'git-upload-pack' : 'git-receive-pack'
      const url = new URL(`${address}/info/refs?service=${service}`)
      const answer = await client.dialer.send({ url, asker: ref.organizationId, headers: { authorization } })
      answer.resume()
      const seconds = Number(answer.headers['retry-after'] ?? NaN)
      return {
        isGit: answer.headers['content-type'] === `application/x-${service}-advertisement`,
        retryInMs: seconds >= 0 ? seconds * 1_000 : undefined,
      }
    },
  }
}

/** What was checked is what git dials: the name is not looked up again. */
async function pinned(dialer: Dialer, { address, asker }: { address: URL; asker: Asker }): Promise<[string, string][]> {
  const { hostname, protocol, port } = address
  const addresses = await dialer.resolve(new URL(`${protocol}//${hostname}${port && `:${port}`}`), asker)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return []
  const dialled = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(',')
  return [['http.curloptResolve', `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}:${dialled}`]]
}
