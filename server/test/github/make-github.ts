import { mkdir, writeFile } from 'node:fs/promises'
import { appEvents, appPermissions } from '#adapters/codehosts/github/app-forms.ts'
import { openWorkTree, testFolder } from '#test/test-git.ts'
import { pressButton, runWorkflow } from './run-workflow.ts'
import { addApp, changeInstallation, install, type AddApp } from './routes/app-routes.ts'
import { updateHook } from './serve-git.ts'
import {
  addAccount,
  addToken,
  branchCommit,
  findRepository,
  isInstalledOn,
  smallId,
  type Account,
  type App,
  type CheckRun,
  type Installation,
  type Permissions,
  type Repository,
  type Role,
  type Workflow,
  type World,
} from './world.ts'

/** Somebody at GitHub, who does what people do: by the API and by git, with a token of their own. */
export type Person = {
  account: Account
  login: string
  token: string
  /** Rejects unless the answer is a 2xx or a 3xx. */
  ask<Result = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Result>
  /** The same, whatever comes back. */
  tryAsk(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>
  /** Pushes a commit with these files on top of a branch, or of another. Answers the commit. */
  push(repository: Repository, to: { branch: string; from?: string; files: Record<string, string> }): Promise<string>
}
export type AddRepository = {
  owner: string
  name: string
  files?: Record<string, string>
  isPrivate?: boolean
  roles?: Record<string, Role>
  workflow?: Workflow
  /** A fork of it. */
  parent?: Repository
}
export type Install = { account?: string; repositories?: Repository[]; permissions?: Permissions }

/** What a test has there before it begins. */
export type MakeGitHub = {
  addRepository(repository: AddRepository): Promise<Repository>
  addApp(app: Partial<Omit<AddApp, 'owner'>> & { owner?: string }): { app: App; webhookSecret: string }
  install(app: App, installation?: Install): Installation
  /** Suspends it, takes that back, or removes the App from its account. */
  change(installation: Installation, action: 'deleted' | 'suspend' | 'unsuspend'): void
  addPerson(login: string, token?: { repositories?: Repository[]; permissions?: Permissions }): Person
  /** Runs the jobs of a branch's head once more, as if somebody had asked for it. */
  runJobs(repository: Repository, branch: string): Promise<void>
  /** Somebody presses a button of a check: `rerun`, `rerun_all`, or one that its App has given it. */
  press(repository: Repository, pressed: { run: CheckRun; by: Person; button: string }): void
}

export const makeGitHub = (world: World): MakeGitHub => ({
  addRepository: (options) => addRepository(world, options),
  addApp: ({ owner = 'acme', name = 'Runwright', permissions = appPermissions, events = appEvents, ...more }) =>
    addApp(world, { ...more, owner: addAccount(world, owner, 'Organization'), name, permissions, events }),
  install: (app, { account = 'acme', repositories, permissions = app.permissions } = {}) =>
    install(world, {
      app,
      account: addAccount(world, account, 'Organization'),
      repositories: repositories ? new Set(repositories) : null,
      permissions,
    }),
  change: (installation, action) => changeInstallation(world, installation, action),
  addPerson: (login, { repositories, permissions } = {}) => {
    const account = addAccount(world, login)
    const token = addToken(world, {
      account,
      installation: null,
      repositories: repositories ? new Set(repositories) : null,
      permissions: permissions ?? null,
      expiresAt: null,
    })
    return makePerson(world, account, token)
  },
  runJobs: async (repository, branch) => {
    const sha = await branchCommit(repository, branch)
    if (sha) runWorkflow(world, repository, { sha, branch, attempt: 1 })
  },
  press: (repository, { run, by, button }) => pressButton(world, repository, { run, by: by.account, button }),
})

async function addRepository(world: World, options: AddRepository): Promise<Repository> {
  const { owner, name, files = { 'README.md': `# ${name}\n` }, isPrivate = true, parent = null } = options
  if (findRepository(world, owner, name)?.isFormer === false) throw new Error(`${owner}/${name} is there already`)
  const account = world.accounts.get(owner.toLowerCase()) ?? addAccount(world, owner, 'Organization')
  const id = smallId(world)
  const folder = `${world.folder}/${id}.git`
  await makeBare(folder, parent ? parent.folder : await treeOf(files))
  const { git, tryGit } = openWorkTree(folder)
  const roles = Object.entries(options.roles ?? {}).map(([login, role]) => [addAccount(world, login).id, role] as const)
  const repository: Repository = {
    id,
    owner: account,
    name,
    formerNames: [],
    folder,
    isPrivate,
    isArchived: false,
    defaultBranch: 'main',
    parent,
    roles: new Map(roles),
    protectedBranches: new Set(),
    rules: new Set(),
    numbers: 0,
    issues: new Map(),
    comments: [],
    reviewComments: [],
    reviews: [],
    checkRuns: [],
    suites: [],
    statuses: [],
    activity: [],
    issueEvents: [],
    workflow: options.workflow ?? null,
    lfs: new Map(parent?.lfs),
    createdAt: new Date(),
    git,
    tryGit,
    queue: Promise.resolve(),
  }
  world.repositories.push(repository)
  for (const installation of world.installations.filter((each) => isInstalledOn(each, repository))) {
    const repositories_added = [{ id, name, full_name: `${owner}/${name}`, private: isPrivate }]
    const payload = { repository_selection: 'all', repositories_added, repositories_removed: [] }
    world.tell({
      event: 'installation_repositories',
      action: 'added',
      repository: null,
      by: account,
      payload,
      installation,
    })
  }
  return repository
}

async function treeOf(files: Record<string, string>): Promise<string> {
  const tree = openWorkTree(await testFolder())
  await tree.git('init', '--quiet', '--initial-branch=main')
  await tree.commit(files, 'Begin')
  return tree.folder
}

async function makeBare(folder: string, from: string): Promise<void> {
  await openWorkTree('/').git('clone', '--quiet', '--bare', from, folder)
  await mkdir(`${folder}/github-hooks`)
  await writeFile(`${folder}/github-hooks/update`, updateHook, { mode: 0o755 })
}

function makePerson(world: World, account: Account, token: string): Person {
  const tryAsk: Person['tryAsk'] = async (method, path, body) => {
    const response = await fetch(world.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'user-agent': account.login, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: text && isJson ? JSON.parse(text) : { text } }
  }
  return {
    account,
    login: account.login,
    token,
    tryAsk,
    ask: async <Result>(method: string, path: string, body?: unknown) => {
      const answer = await tryAsk(method, path, body)
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body as Result
    },
    push: async (repository, { branch, from = branch, files }) => {
      const tree = openWorkTree(await testFolder())
      const url = `${world.url}/${repository.owner.login}/${repository.name}.git`
      const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
      const signedIn = ['-c', `http.extraHeader=${header}`]
      await tree.git(...signedIn, 'clone', '--quiet', '--branch', from, url, '.')
      await tree.git('checkout', '--quiet', '-B', branch)
      const commit = await tree.commit(files, `Change ${Object.keys(files).join(', ')}`)
      await tree.git(...signedIn, 'push', '--quiet', 'origin', branch)
      return commit
    },
  }
}
