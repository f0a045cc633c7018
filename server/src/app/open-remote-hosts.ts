import type pg from 'pg'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import { openGitHub } from '#adapters/codehosts/github/github.ts'
import { placeOf } from '#adapters/codehosts/place-of.ts'
import type { ConnectedRepository, HostConnection, RemoteHost } from '#adapters/codehosts/remote-host.ts'
import type { Clock } from '#base/clock.ts'
import type { Lookup } from '#base/network/names.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { IntegrationKind } from '#domain/hosts/integrations/integration.ts'
import { connectionOf } from '#domain/hosts/integrations/connection-of.ts'
import { findConnectedRepo } from '#domain/hosts/integrations/find-connected-repo.ts'
import { reportRefused } from '#domain/hosts/integrations/report-refused.ts'
import { renameRepo } from '#domain/repos/repos/rename-repo.ts'

/** The code hosts that organizations can connect, by kind. */
export type RemoteHosts = Readonly<Record<IntegrationKind, RemoteHost>>

export type OpenRemoteHosts = {
  pool: pg.Pool
  clock: Clock
  secretBox: SecretBox
  /** Hosts that may be dialled though they are not public. */
  privateHosts: readonly string[]
  lookup: Lookup
}

export function openRemoteHosts({ pool, clock, secretBox, privateHosts, lookup }: OpenRemoteHosts): RemoteHosts {
  const options = {
    clock,
    privateHosts,
    lookup,
    findConnected: (repo: RepoRef) => findConnected({ pool, secretBox }, repo),
    // What was asked fails anyway, and the next sync finds the same.
    onRefused: (connection: HostConnection, message: string) =>
      reportRefused(pool, { ...connection, problem: message }).catch(() => {}),
    onRenamed: (repo: RepoRef, name: string) => renameRepo(pool, { ...placeOf(repo), name }),
  }
  return { github: openGitHub(options) }
}

async function findConnected(
  { pool, secretBox }: Pick<OpenRemoteHosts, 'pool' | 'secretBox'>,
  repo: RepoRef,
): Promise<ConnectedRepository> {
  const found = await findConnectedRepo(pool, secretBox, placeOf(repo))
  if (!found) throw new HostError('not_found', `There is no repository at ${repo.path}.`)
  const { name, hostRepoId, defaultBranch } = found.repo
  const { integration } = found
  if (!integration || hostRepoId === null)
    throw new HostError('forbidden', `${name} is not connected any more: add an integration that opens it.`)
  if (!integration.active) throw new HostError('forbidden', `The integration that opens ${name} is switched off.`)
  if (integration.halted)
    throw new HostError('forbidden', integration.problem ?? `The code host of ${name} does not let Runwright in.`)
  return { connection: connectionOf(integration), hostRepoId, fullName: name, defaultBranch }
}
