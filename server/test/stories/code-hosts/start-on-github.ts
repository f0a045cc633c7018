import { execFile } from 'node:child_process'
import type { AddRepository, Person } from '#test/github/make-github.ts'
import { addToken, type App, type Installation, type Job, type Repository } from '#test/github/world.ts'
import { startGitHubServer, type GitHubServer } from '#test/github-server.ts'
import { startService, type RunAnswer, type Service, type StartService } from '#test/service.ts'
import { testFolder, openWorkTree } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'

export type OnGitHub = {
  github: GitHubServer
  app: App
  installation: Installation
  /** At GitHub, and its row in the service. */
  repository: Repository
  repo: { id: number; git_url: string }
  /** May do everything there; `mallory` may read, as anybody. */
  ada: Person
  mallory: Person
  service: Service
  /** `/v1/organizations/1` */
  at: string
  integrationId: number
  /** Oldest first. */
  runs(): Promise<RunAnswer[]>
  /** Resolves with the first run that is there. */
  untilRun(): Promise<RunAnswer>
  /** A repository of theirs that was made from it. */
  forkOf(person: Person): Promise<Repository>
  /** A token of the App, as the service has it, or of another. */
  botToken(of?: Installation): string
}

export type StartOnGitHub = Partial<StartService> & {
  files?: AddRepository['files']
  defer: StartService['defer']
  /** On which way the service reaches GitHub; straight when left out. */
  openWay?: (url: string) => Promise<AsyncDisposable & { url: string }>
}

/** The service with one repository of a GitHub of its own, connected by an App, which sends what happens there. */
export async function startOnGitHub({
  files = {},
  env = {},
  defer,
  openWay,
  ...start
}: StartOnGitHub & { databaseUrl: string }): Promise<OnGitHub> {
  const github = await startGitHubServer()
  defer?.(async () => github[Symbol.asyncDispose]())
  const way = await openWay?.(github.url)
  if (way) defer?.(async () => way[Symbol.asyncDispose]())
  const { app, webhookSecret } = github.addApp({ name: 'Runwright' })
  const repository = await github.addRepository({
    owner: 'acme',
    name: 'price-list',
    files,
    isPrivate: false,
    roles: { ada: 'admin' },
  })
  repository.workflow = ({ sha }) => runNodeTests(repository, sha)
  const installation = github.install(app)
  const [ada, mallory] = [github.addPerson('ada'), github.addPerson('mallory')]
  const service = await startService({
    ...start,
    databaseUrl: start.databaseUrl,
    env: { RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1', ...env },
    ...(defer && { defer }),
  })
  const at = `/v1/organizations/${service.organizationId}`
  const integration = await service.call<{ id: number; webhook_url: string }>('POST', `${at}/integrations`, {
    type: 'github',
    base_url: way ? `${way.url}/api/v3` : github.apiUrl,
    app_id: app.id,
    private_key: app.pem,
    installation_id: installation.id,
    webhook_secret: webhookSecret,
  })
  const hook = github.world.hooks.find((each) => each.owner === app)
  Object.assign(hook ?? {}, { url: integration.webhook_url, isActive: true })
  const repo = await service.call<OnGitHub['repo']>('POST', `${at}/repos`, {
    integration_id: integration.id,
    full_name: 'acme/price-list',
  })
  await service.call('PUT', `${at}/repos/check-suite-settings?repo_id=${repo.id}`, { settle_seconds: 0 })
  const runs = async () => {
    const { items } = await service.call<{ items: RunAnswer[] }>('GET', `${at}/agent/runs?limit=100`)
    return items.toReversed()
  }
  return {
    github,
    app,
    installation,
    repository,
    repo,
    ada,
    mallory,
    service,
    at,
    integrationId: integration.id,
    forkOf: ({ login }) =>
      github.addRepository({
        owner: login,
        name: repository.name,
        parent: repository,
        isPrivate: false,
        roles: { [login]: 'admin' },
      }),
    runs,
    untilRun: async () => {
      await until(async () => (await runs()).length > 0, 'a run has started')
      return (await runs())[0] as RunAnswer
    },
    botToken: (of = installation) => {
      const { app, permissions } = of
      const token = { account: app.bot, installation: of, repositories: null, permissions, expiresAt: null }
      return addToken(github.world, token)
    },
  }
}

/** What Actions would do by a workflow: the tests of a commit, really run. */
async function runNodeTests(repository: Repository, sha: string): Promise<Job[]> {
  const tree = openWorkTree(await testFolder())
  await tree.git('clone', '--quiet', repository.folder, '.')
  await tree.git('checkout', '--quiet', '--detach', sha)
  const { exitCode, log } = await new Promise<{ exitCode: number; log: string }>((resolve) => {
    const options = { cwd: tree.folder, env: { PATH: process.env.PATH, NODE_TEST_CONTEXT: undefined } }
    execFile(process.execPath, ['--test', '--test-reporter=spec'], options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? 1 : 0, log: `$ node --test\n${stdout}${stderr}` }),
    )
  })
  return [{ name: 'test', conclusion: exitCode === 0 ? 'success' : 'failure', log }]
}
