import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import type { openWorkTree } from '#test/test-git.ts'
import { GitHubError } from './github-error.ts'

export type Account = { id: number; login: string; type: 'User' | 'Bot' | 'Organization'; email: string | null }
export const roles = ['read', 'triage', 'write', 'maintain', 'admin'] as const
export type Role = (typeof roles)[number]
export type Level = 'read' | 'write' | 'admin'
export type Permissions = Record<string, Level>

export type Issue = {
  id: number
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  author: Account
  labels: string[]
  assignees: Account[]
  /** Pull requests are issues, too. */
  pull: Pull | null
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
}
export type Pull = {
  id: number
  draft: boolean
  head: { repository: Repository; branch: string; sha: string }
  base: { branch: string; sha: string }
  requested: Account[]
  mergedAt: Date | null
  mergedBy: Account | null
  mergeCommit: string | null
  /** Where the base was before. */
  mergedOnto: string | null
  /** What mergeability was last asked for: like GitHub we know it only at the second look. */
  mergeability: { of: string; isClean: boolean } | null
}
export type Comment = {
  id: number
  number: number
  body: string
  author: Account
  createdAt: Date
  updatedAt: Date
  reactions: { id: number; by: Account; content: string }[]
  line: {
    path: string
    line: number
    startLine: number | null
    side: 'LEFT' | 'RIGHT'
    /** The diff up to it. */
    hunk: string
    commit: string
    replyTo: number | null
    /** Of the comment that began its thread. */
    isResolved: boolean
    reviewId: number
  } | null
}
export type Review = {
  id: number
  number: number
  author: Account
  body: string
  state: 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED'
  commit: string
  submittedAt: Date
}
export type CheckRun = {
  id: number
  name: string
  sha: string
  app: App
  suiteId: number
  status: string
  conclusion: string | null
  startedAt: Date
  completedAt: Date | null
  externalId: string
  detailsUrl: string | null
  output: { title: string | null; summary: string | null; text: string | null }
  annotations: Record<string, unknown>[]
  /** Its buttons, by what they are called for the App. */
  actions: string[]
  /** Of a job of Actions. */
  job: { log: string; attempt: number; branch: string } | null
}
export type Suite = { id: number; app: App; sha: string; branch: string | null; createdAt: Date }
export type Status = {
  id: number
  sha: string
  state: string
  context: string
  description: string | null
  targetUrl: string | null
  by: Account
  createdAt: Date
}

/** What has happened to an issue: whoever looks finds it, besides what is told of it. */
export type IssueEvent = {
  id: number
  issue: Issue
  event: string
  by: Account
  label: string | null
  assignee: Account | null
  at: Date
}

/** What has moved a branch; null where it was not, or is not any more. */
export type Activity = { id: number; ref: string; before: string | null; after: string | null; by: Account; at: Date }

/** A job of continuous integration: what it says of a commit. */
export type Job = { name: string; conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out'; log: string }
/** Plays Actions for a repository: what its jobs come to at this commit. `files` reads one as it is there. */
export type Workflow = (at: {
  sha: string
  branch: string
  attempt: number
  read: (path: string) => Promise<string | null>
}) => Job[] | Promise<Job[]>

export type Repository = {
  id: number
  owner: Account
  name: string
  formerNames: string[]
  folder: string
  isPrivate: boolean
  isArchived: boolean
  defaultBranch: string
  parent: Repository | null
  roles: Map<number, Role>
  protectedBranches: Set<string>
  /** Rules of its branches: a pull request is merged once it holds all of its base, or by a queue alone. */
  rules: Set<'up_to_date' | 'merge_queue'>
  numbers: number
  issues: Map<number, Issue>
  comments: Comment[]
  reviewComments: Comment[]
  reviews: Review[]
  checkRuns: CheckRun[]
  suites: Suite[]
  statuses: Status[]
  activity: Activity[]
  issueEvents: IssueEvent[]
  workflow: Workflow | null
  /** Content of large files (Git LFS), by their SHA-256. */
  lfs: Map<string, Buffer>
  createdAt: Date
  git: ReturnType<typeof openWorkTree>['git']
  tryGit: ReturnType<typeof openWorkTree>['tryGit']
  /** Changes of one repository happen one after the other. */
  queue: Promise<unknown>
}

export type App = {
  id: number
  slug: string
  name: string
  clientId: string
  clientSecret: string
  owner: Account
  bot: Account
  permissions: Permissions
  events: string[]
  publicKey: KeyObject
  pem: string
}
export type Installation = {
  id: number
  app: App
  account: Account
  /** Null: all of the account. */
  repositories: Set<Repository> | null
  permissions: Permissions
  isSuspended: boolean
  createdAt: Date
}
/** Null `permissions`: all that its account may do. Null `repositories`: all that its account sees. */
export type Token = {
  account: Account
  installation: Installation | null
  repositories: Set<Repository> | null
  permissions: Permissions | null
  expiresAt: Date | null
  /** Of a person's token of the older kind. */
  scopes?: string[]
}
/** Who asks: somebody by a token, an App by its key, or nobody. */
export type Caller = { token: Token; text: string } | { app: App } | null
export type Hook = {
  id: number
  owner: App | Repository
  url: string
  secret: string | null
  events: string[]
  isActive: boolean
  contentType: 'json' | 'form'
}

export type LfsLink = { repository: Repository; may: 'download' | 'upload' | 'verify'; oid: string; size: number }

export type World = {
  /** Where people and git go, where the API is, and where logs are kept: another origin, as on GitHub. */
  url: string
  apiUrl: string
  logsUrl: string
  folder: string
  accounts: Map<string, Account>
  repositories: Repository[]
  apps: App[]
  installations: Installation[]
  tokens: Map<string, Token>
  hooks: Hook[]
  /** By the code that the browser brings back. */
  manifests: Map<string, Record<string, unknown>>
  /** Texts of jobs, by what only their address holds. */
  logLinks: Map<string, { run: CheckRun; until: Date }>
  /** What each signature opens in the store of large files. */
  lfsLinks: Map<string, LfsLink>
  /** Of Actions. */
  actions: App
  tokenSeconds: number
  ids: number
  tell: Tell
  /** What goes on behind the answers: jobs, deliveries. */
  background: Set<Promise<unknown>>
}
export type Tell = (event: {
  event: string
  action?: string
  repository: Repository | null
  by: Account
  payload: Record<string, unknown>
  /** Where it is nobody's repository. */
  installation?: Installation
}) => void

export function makeWorld(at: Pick<World, 'url' | 'apiUrl' | 'logsUrl' | 'folder'>): World {
  const accounts = new Map<string, Account>()
  const github: Account = { id: 9_919, login: 'github', type: 'Organization', email: null }
  const bot: Account = { id: 41_898_282, login: 'github-actions[bot]', type: 'Bot', email: null }
  for (const account of [github, bot]) accounts.set(account.login, account)
  const actions: App = {
    id: 15_368,
    slug: 'github-actions',
    name: 'GitHub Actions',
    clientId: 'Iv1.actions',
    clientSecret: randomBytes(20).toString('hex'),
    owner: github,
    bot,
    permissions: {},
    events: [],
    // Nobody signs in by it.
    publicKey: generateKeyPairSync('ed25519').publicKey,
    pem: randomBytes(20).toString('hex'),
  }
  return {
    ...at,
    accounts,
    repositories: [],
    apps: [],
    installations: [],
    tokens: new Map(),
    hooks: [],
    manifests: new Map(),
    logLinks: new Map(),
    lfsLinks: new Map(),
    actions,
    tokenSeconds: 3_600,
    ids: 0,
    tell: () => {},
    background: new Set(),
  }
}

/** Of issues, comments, checks: beyond 32 bits, as GitHub's are. */
export const nextId = (world: World): number => 5_000_000_000 + ++world.ids
/** Of accounts, repositories, Apps and installations. */
export const smallId = (world: World): number => 1_000 + ++world.ids

export function addAccount(world: World, login: string, type: Account['type'] = 'User'): Account {
  const known = world.accounts.get(login.toLowerCase())
  if (known) return known
  const id = smallId(world)
  const account = { id, login, type, email: type === 'User' ? `${login}@example.com` : null }
  world.accounts.set(login.toLowerCase(), account)
  return account
}

export function findAccount(world: World, login: string): Account {
  const account = world.accounts.get(login.toLowerCase())
  if (!account) throw new GitHubError(404, 'Not Found')
  return account
}

/** Null where there is none; `isFormer` where it has another name by now. */
export function findRepository(
  world: World,
  owner: string,
  name: string,
): { repository: Repository; isFormer: boolean } | null {
  const of = world.repositories.filter((each) => each.owner.login.toLowerCase() === owner.toLowerCase())
  const found = of.find((each) => each.name.toLowerCase() === name.toLowerCase())
  if (found) return { repository: found, isFormer: false }
  const former = of.find((each) => each.formerNames.some((each) => each.toLowerCase() === name.toLowerCase()))
  return former ? { repository: former, isFormer: true } : null
}

export const fullName = (repository: Repository): string => `${repository.owner.login}/${repository.name}`

/** Answers the token's text, in the form that GitHub gives it. */
export function addToken(world: World, token: Token): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url').replaceAll(/[-_]/g, 'x')
  const text = token.installation
    ? `ghs_${token.installation.app.id}_${random(15)}.${random(300)}.${random(64)}`
    : token.permissions
      ? `github_pat_${random(16).slice(0, 22)}_${random(45).slice(0, 59)}`
      : `ghp_${random(30).slice(0, 36)}`
  world.tokens.set(text, token)
  return text
}

export const isInstalledOn = (installation: Installation, repository: Repository): boolean =>
  !installation.isSuspended &&
  installation.account === repository.owner &&
  (installation.repositories === null || installation.repositories.has(repository))

/** What an account may do there by itself; null where it does not even see it. */
export function roleOf(repository: Repository, account: Account): Role | null {
  if (account === repository.owner) return 'admin'
  return repository.roles.get(account.id) ?? (repository.isPrivate ? null : 'read')
}

export const atLeast = (role: Role | null, least: Role): boolean =>
  role !== null && roles.indexOf(role) >= roles.indexOf(least)

/** One change of a repository after the other. */
export async function inTurn<Result>(repository: Repository, change: () => Promise<Result>): Promise<Result> {
  const done = repository.queue.then(change)
  repository.queue = done.catch(() => {})
  return done
}

export async function commitOf(repository: Repository, name: string): Promise<string | null> {
  if (name.startsWith('-') || name.includes('..')) return null
  const { exitCode, stdout } = await repository.tryGit('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  return exitCode === 0 ? stdout.trim() : null
}

export const branchCommit = (repository: Repository, branch: string): Promise<string | null> =>
  commitOf(repository, `refs/heads/${branch}`)

/** Of a branch, a tag or a commit. */
export async function resolve(repository: Repository, name: string): Promise<string> {
  const sha = (await branchCommit(repository, name.replace(/^heads\//, ''))) ?? (await commitOf(repository, name))
  if (!sha) throw new GitHubError(422, `No commit found for SHA: ${name}`)
  return sha
}

/** Goes on behind the answer, and is waited for at the end. */
export function inBackground(world: World, work: Promise<unknown>): void {
  const tracked = work.finally(() => world.background.delete(tracked))
  world.background.add(tracked)
  tracked.catch(() => {})
}
