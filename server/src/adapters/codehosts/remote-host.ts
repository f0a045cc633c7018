/**
 * A code host elsewhere, with which an organization has an account. Its repositories are served from mirrors (`mirrors.ts`),
 * so that an adapter says only how git reaches them, and talks.
 */
import type { IncomingMessage } from 'node:http'
import type { ConnectionCheck } from '#base/hosts/connection-check.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import type { HostPull, RepoRef } from './code-host.ts'
import type { DialOut } from './dial-out.ts'
import type { Forge, OpenPull } from './forge.ts'

/** What opens an account: a personal access token, or an App's private key. */
export type HostCredentials = { token: string } | { appId: number; privateKey: string }

export type HostAccess = {
  organizationId: number
  /** Where the host's API is; null: at its maker's own. */
  baseUrl: string | null
  credentials: HostCredentials
  /** Of an App; null for a token. */
  installationId: number | null
}

/** An account that an organization has connected. */
export type HostConnection = HostAccess & {
  integrationId: number
  /** Who we are there; null where that is not known yet. */
  bot: { id: string; login: string } | null
}

/** One repository of it. */
export type ConnectedRepository = {
  connection: HostConnection
  hostRepoId: string
  fullName: string
  defaultBranch: string
}

/** Who opens with these credentials. */
export type HostIdentity = {
  /** Whose repositories they are, and who we are there; null where an App is installed nowhere yet. */
  account: string | null
  bot: { id: string; login: string } | null
  installationId: number | null
  /** What keeps them from being of use, and what to do about it, in words for people. */
  problem: string | null
}

/** How a connection stands at its host. `halted`: why it opens nothing for now, though its credentials are good. */
export type HostInspection = { halted: 'suspended' | 'uninstalled' | null; checks: ConnectionCheck[] }

/** Where a webhook is to come. `isKnown`: the host was given just this before; what it holds of a secret it does not tell. */
export type HookTarget = { url: string; secret: string; isKnown: boolean }

export type HostRepository = {
  hostRepoId: string
  /** With its owner: `acme/web`. */
  fullName: string
  /** Where people find it. */
  url: string
  description: string | null
  defaultBranch: string
  visibility: 'public' | 'private' | 'internal'
  archived: boolean
  language: string | null
}

/** How git reaches a repository: the credential goes into a header, and never into the address. */
export type GitReach = {
  address: string
  /** The header's value. */
  authorization: string
  /** What git is told besides, so that it dials what was checked. */
  config: [string, string][]
  defaultBranch: string
}

/** `isGit`: it was answered as git answers; `retryInMs`: the host has enough of us for so long. */
export type GitLook = { isGit: boolean; retryInMs: number | undefined }

/** What git has just met: the name that we know leads elsewhere and is asked for, or the credential was refused and is made anew. */
export type GitRefusal = 'renamed' | 'unauthorized'

/** How a host makes an App of ours, in a browser. */
export type AppForms = {
  /** What a browser posts, and where to; from there it comes back to `returnUrl` with a code and the state. */
  begin(form: {
    baseUrl: string | null
    /** The organization that is to own it; null: whoever posts the form. */
    account: string | null
    name: string
    ourUrl: string
    returnUrl: string
    webhookUrl: string
    state: string
  }): { url: string; manifest: string }
  /** The keys of the App, for which a code is good once. `problem`: where a person is to install it. */
  finish(back: { organizationId: number; baseUrl: string | null; code: string }): Promise<NewApp>
}
export type NewApp = { appId: number; privateKey: string; webhookSecret: string | null; problem: string }

/** What a host is to commit and sign. `message`: as git stores it. */
export type UnsignedCommit = { tree: string; parents: string[]; message: string }
/** `text`: the commit as git stores it, whose id it is. */
export type SignedCommit = { id: string; text: string }

/** `key`: under which a webhook tells the same. */
export type HostNews = { event: HostEvent; key: string }

/** Each rejects with a `HostError`. */
export interface RemoteHost extends Omit<Forge, 'openPull'> {
  readonly appForms: AppForms
  /** By which the host knows a commit as an account's, and which is no address of a person. */
  noreplyOf(baseUrl: string | null, account: { id: string; login: string }): string
  /** Tries the credentials. */
  identify(access: HostAccess): Promise<HostIdentity>
  /** Looks whether they are good still, and whether they open all that is needed. Of an App, its installation has to be known. */
  inspect(connection: HostConnection): Promise<HostInspection>
  /** All that they open; `isCut` where there are more than we list. */
  listRepositories(connection: HostConnection): Promise<{ repositories: HostRepository[]; isCut: boolean }>
  /** By a name that it has, or had; with the host's own id only that one, whatever its name is now. */
  findRepository(connection: HostConnection, by: { fullName: string; hostRepoId?: string }): Promise<HostRepository>
  /** Has the webhook of an App come to us, unless it is another service's. Says how it stands. */
  keepAppHook(connection: HostConnection, target: HookTarget): Promise<{ check: ConnectionCheck; isOurs: boolean }>
  /** Makes the webhook of a repository, or repairs it, where it is not as it should be. */
  keepRepositoryHook(connection: HostConnection, fullName: string, target: HookTarget): Promise<void>
  /** Sends a request to an address that the host has named, if it is one that may be dialled. */
  dial(request: DialOut): Promise<IncomingMessage>
  reachGit(repo: RepoRef, options: { need: 'read' | 'write'; after: GitRefusal | null }): Promise<GitReach>
  /** Whether it signs what we commit through its API, by the way in which we are connected. */
  signsCommits(repo: RepoRef): Promise<boolean>
  /** Commits in our name and signs it; no branch moves. It has to have the tree and the parents. Null where it does not sign. */
  signCommit(repo: RepoRef, commit: UnsignedCommit): Promise<SignedCommit | null>
  /** Asks what git asks first, for what git itself does not say. */
  lookAtGit(repo: RepoRef, need: 'read' | 'write'): Promise<GitLook>
  /** What has happened there since then, the oldest first, as far as its webhooks tell of it and it can still be seen. */
  listNews(repo: RepoRef, since: Date): Promise<HostNews[]>
  /** Has the host send again what it could not bring us since then, where it keeps that. Answers how much that is. */
  redeliverFailed(connection: HostConnection, since: Date): Promise<number>
  /** Opens a pull request, or finds the open one of this head. */
  openPull(repo: RepoRef, pull: OpenPull): Promise<{ pull: HostPull; created: boolean }>
}
