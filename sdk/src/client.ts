import type { AgentRun, DryRun, Operations } from './generated/api.ts'
import { followLog, type FollowLog } from './follow-log.ts'
import { readEvents, type ServerEvent } from './read-events.ts'
import { request, send, type ClientOptions } from './request.ts'

export type * from './generated/api.ts'
export { applyDelta, type WrittenText } from './apply-delta.ts'
export type { FollowLog, Progress } from './follow-log.ts'
export type { ClientOptions } from './request.ts'
export { RunwrightError } from './runwright-error.ts'

type Body<Name extends keyof Operations> = Operations[Name]['body']
type Query<Name extends keyof Operations> = Operations[Name]['query']

export type Client = ReturnType<typeof createClient>

/** The API as functions. Each rejects with a `RunwrightError` for any answer that is no success. */
export function createClient(options: ClientOptions) {
  return {
    me: () => request(options, 'getMe', {}),
    updateMe: (body: Body<'updateMe'>) => request(options, 'updateMe', { body }),
    session: {
      /** For a browser, on the service's own pages: signs it in, by a cookie that stands for the token. */
      create: (token: string) => request(options, 'createSession', { body: { token } }),
      revoke: () => request(options, 'revokeSession', {}),
      /** How people sign in here, for who has not yet. */
      listWays: () => request(options, 'listSignInWays', {}),
    },
    runs: runsOf(options),
    repos: reposOf(options),
    pulls: pullsOf(options),
    issues: issuesOf(options),
    organizations: {
      list: (query: Query<'listOrganizations'> = {}) => request(options, 'listOrganizations', { query }),
      get: (org_id: number) => request(options, 'getOrganization', { path: { org_id } }),
      create: (body: Body<'createOrganization'>) => request(options, 'createOrganization', { body }),
      update: (org_id: number, body: Body<'updateOrganization'>) =>
        request(options, 'updateOrganization', { path: { org_id }, body }),
    },
    members: membersOf(options),
    rules: {
      get: (org_id: number) => request(options, 'getRules', { path: { org_id } }),
      getForClient: (org_id: number) => request(options, 'getClientRules', { path: { org_id } }),
      save: (org_id: number, body: Body<'saveRules'>) => request(options, 'saveRules', { path: { org_id }, body }),
    },
    users: {
      list: (org_id: number, query: Query<'listUsers'> = {}) =>
        request(options, 'listUsers', { path: { org_id }, query }),
      get: (org_id: number, user_id: number) => request(options, 'getUser', { path: { org_id, user_id } }),
    },
    tokens: {
      list: (org_id: number, query: Query<'listTokens'> = {}) =>
        request(options, 'listTokens', { path: { org_id }, query }),
      create: (org_id: number, body: Body<'createToken'>) =>
        request(options, 'createToken', { path: { org_id }, body }),
      rotate: (org_id: number, token_id: number) => request(options, 'rotateToken', { path: { org_id, token_id } }),
      revoke: (org_id: number, token_id: number) => request(options, 'revokeToken', { path: { org_id, token_id } }),
      /** For a browser: opens one stream, as `?ticket=` in its address. */
      createStreamTicket: (org_id: number) => request(options, 'createStreamTicket', { path: { org_id } }),
    },
    ...steeringOf(options),
    inbox: inboxOf(options),
    views: viewsOf(options),
    usage: {
      list: (org_id: number, query: Query<'listUsage'> = {}) =>
        request(options, 'listUsage', { path: { org_id }, query }),
    },
    storage: { get: (org_id: number) => request(options, 'getStorage', { path: { org_id } }) },
    budgets: budgetsOf(options),
    sandboxes: {
      list: (org_id: number, query: Query<'listSandboxes'> = {}) =>
        request(options, 'listSandboxes', { path: { org_id }, query }),
      get: (org_id: number, sandbox_id: number) => request(options, 'getSandbox', { path: { org_id, sandbox_id } }),
      log: (org_id: number, sandbox_id: number, query: Query<'listSandboxLog'> = {}) =>
        request(options, 'listSandboxLog', { path: { org_id, sandbox_id }, query }),
      analyzeLogs: (org_id: number, sandbox_id: number) =>
        request(options, 'analyzeLogs', { path: { org_id, sandbox_id } }),
    },
    egress: egressOf(options),
    rateLimits: {
      list: (org_id: number) => request(options, 'listRateLimits', { path: { org_id } }),
    },
    secrets: secretsOf(options),
    integrations: integrationsOf(options),
  }
}

/** Lists of runs that a person has given a name. */
function viewsOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listViews'> = {}) =>
      request(options, 'listViews', { path: { org_id }, query }),
    save: (org_id: number, body: Body<'saveView'>) => request(options, 'saveView', { path: { org_id }, body }),
    remove: (org_id: number, view_id: number) => request(options, 'removeView', { path: { org_id, view_id } }),
  }
}

/** What runs of one's own want, and which kinds of it. */
function inboxOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listInbox'> = {}) =>
      request(options, 'listInbox', { path: { org_id }, query }),
    markRead: (org_id: number, notification_id: number, body: Body<'markRead'> = {}) =>
      request(options, 'markRead', { path: { org_id, notification_id }, body }),
    getSettings: (org_id: number) => request(options, 'getInboxSettings', { path: { org_id } }),
    saveSettings: (org_id: number, body: Body<'saveInboxSettings'>) =>
      request(options, 'saveInboxSettings', { path: { org_id }, body }),
  }
}

function reposOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listRepos'> = {}) =>
      request(options, 'listRepos', { path: { org_id }, query }),
    get: (org_id: number, repo_id: number) => request(options, 'getRepo', { path: { org_id, repo_id } }),
    branches: (org_id: number, repo_id: number, query: Query<'listBranches'> = {}) =>
      request(options, 'listBranches', { path: { org_id, repo_id }, query }),
    create: (org_id: number, body: Body<'createRepo'>) => request(options, 'createRepo', { path: { org_id }, body }),
    update: (org_id: number, repo_id: number, body: Body<'updateRepo'>) =>
      request(options, 'updateRepo', { path: { org_id, repo_id }, body }),
    remove: (org_id: number, repo_id: number) => request(options, 'removeRepo', { path: { org_id, repo_id } }),
    checkSettings: (org_id: number, repo_id: number) =>
      request(options, 'getCheckSettings', { path: { org_id }, query: { repo_id } }),
    saveCheckSettings: (org_id: number, repo_id: number, body: Body<'saveCheckSettings'>) =>
      request(options, 'saveCheckSettings', { path: { org_id }, query: { repo_id }, body }),
    trySetup: (org_id: number, body: Body<'trySetupCommands'>) =>
      request(options, 'trySetupCommands', { path: { org_id }, body }),
    generateSetup: (org_id: number, body: Body<'generateSetupCommands'>) =>
      request(options, 'generateSetupCommands', { path: { org_id }, body }),
    setupProposals: (org_id: number, repo_id: number, query: Query<'listSetupProposals'> = {}) =>
      request(options, 'listSetupProposals', { path: { org_id, repo_id }, query }),
    acceptSetup: (org_id: number, repo_id: number, n: number, body: Body<'acceptSetupProposal'> = {}) =>
      request(options, 'acceptSetupProposal', { path: { org_id, repo_id, n }, body }),
    snapshots: (org_id: number, repo_id: number, query: Query<'listSnapshots'> = {}) =>
      request(options, 'listSnapshots', { path: { org_id, repo_id }, query }),
    removeSnapshot: (org_id: number, repo_id: number, n: number) =>
      request(options, 'removeSnapshot', { path: { org_id, repo_id, n } }),
    reportCheck: (org_id: number, repo_id: number, sha: string, body: Body<'reportCheck'>) =>
      request(options, 'reportCheck', { path: { org_id, repo_id, sha }, body }),
  }
}

function integrationsOf(options: ClientOptions) {
  return {
    list: (org_id: number) => request(options, 'listIntegrations', { path: { org_id } }),
    create: (org_id: number, body: Body<'createIntegration'>) =>
      request(options, 'createIntegration', { path: { org_id }, body }),
    update: (org_id: number, integration_id: number, body: Body<'updateIntegration'>) =>
      request(options, 'updateIntegration', { path: { org_id, integration_id }, body }),
    createAppForm: (org_id: number, body: Body<'createAppForm'> = {}) =>
      request(options, 'createAppForm', { path: { org_id }, body }),
    finishAppForm: (org_id: number, body: Body<'finishAppForm'>) =>
      request(options, 'finishAppForm', { path: { org_id }, body }),
    remove: (org_id: number, integration_id: number) =>
      request(options, 'removeIntegration', { path: { org_id, integration_id } }),
    failedJobs: (org_id: number, query: Query<'listFailedJobs'> = {}) =>
      request(options, 'listFailedJobs', { path: { org_id }, query }),
    retryJob: (org_id: number, job_id: number) => request(options, 'retryJob', { path: { org_id, job_id } }),
  }
}

function pullsOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listPulls'> = {}) =>
      request(options, 'listPulls', { path: { org_id }, query }),
    get: (org_id: number, pr_id: number) => request(options, 'getPull', { path: { org_id, pr_id } }),
    update: (org_id: number, pr_id: number, body: Body<'updatePull'>) =>
      request(options, 'updatePull', { path: { org_id, pr_id }, body }),
    diff: (org_id: number, pr_id: number) => request(options, 'getPullDiff', { path: { org_id, pr_id } }),
    files: (org_id: number, pr_id: number, query: Query<'listPullFiles'> = {}) =>
      request(options, 'listPullFiles', { path: { org_id, pr_id }, query }),
    fileLines: (org_id: number, pr_id: number, query: Query<'getPullFile'>) =>
      request(options, 'getPullFile', { path: { org_id, pr_id }, query }),
    comments: (org_id: number, pr_id: number, query: Query<'listPullComments'> = {}) =>
      request(options, 'listPullComments', { path: { org_id, pr_id }, query }),
    comment: (org_id: number, pr_id: number, body: Body<'createPullComment'>) =>
      request(options, 'createPullComment', { path: { org_id, pr_id }, body }),
    reviews: (org_id: number, pr_id: number, query: Query<'listReviews'> = {}) =>
      request(options, 'listReviews', { path: { org_id, pr_id }, query }),
    review: (org_id: number, pr_id: number, body: Body<'createReview'>) =>
      request(options, 'createReview', { path: { org_id, pr_id }, body }),
    requestReview: (org_id: number, pr_id: number, body: Body<'requestReview'> = {}) =>
      request(options, 'requestReview', { path: { org_id, pr_id }, body }),
    checks: (org_id: number, pr_id: number, query: Query<'listPullChecks'> = {}) =>
      request(options, 'listPullChecks', { path: { org_id, pr_id }, query }),
    checkLog: (org_id: number, pr_id: number, check_key: string) =>
      request(options, 'getPullCheckLog', { path: { org_id, pr_id, check_key } }),
    merge: (org_id: number, pr_id: number, body: Body<'mergePull'> = {}) =>
      request(options, 'mergePull', { path: { org_id, pr_id }, body }),
    revert: (org_id: number, pr_id: number) => request(options, 'revertPull', { path: { org_id, pr_id } }),
    deleteBranch: (org_id: number, pr_id: number) => request(options, 'deletePullBranch', { path: { org_id, pr_id } }),
  }
}

/** Of repositories of the built-in host; `n` is their number there. */
function issuesOf(options: ClientOptions) {
  return {
    list: (org_id: number, repo_id: number, query: Query<'listIssues'> = {}) =>
      request(options, 'listIssues', { path: { org_id, repo_id }, query }),
    create: (org_id: number, repo_id: number, body: Body<'createIssue'>) =>
      request(options, 'createIssue', { path: { org_id, repo_id }, body }),
    get: (org_id: number, repo_id: number, n: number) => request(options, 'getIssue', { path: { org_id, repo_id, n } }),
    update: (org_id: number, repo_id: number, n: number, body: Body<'updateIssue'>) =>
      request(options, 'updateIssue', { path: { org_id, repo_id, n }, body }),
    comments: (org_id: number, repo_id: number, n: number, query: Query<'listIssueComments'> = {}) =>
      request(options, 'listIssueComments', { path: { org_id, repo_id, n }, query }),
    comment: (org_id: number, repo_id: number, n: number, body: Body<'createIssueComment'>) =>
      request(options, 'createIssueComment', { path: { org_id, repo_id, n }, body }),
  }
}

function budgetsOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listBudgets'> = {}) =>
      request(options, 'listBudgets', { path: { org_id }, query }),
    create: (org_id: number, body: Body<'createBudget'>) =>
      request(options, 'createBudget', { path: { org_id }, body }),
    update: (org_id: number, budget_id: number, body: Body<'updateBudget'>) =>
      request(options, 'updateBudget', { path: { org_id, budget_id }, body }),
    remove: (org_id: number, budget_id: number) => request(options, 'removeBudget', { path: { org_id, budget_id } }),
  }
}

/** What sandboxes may reach: of an organization; where a repository is named, in its runs besides. */
function egressOf(options: ClientOptions) {
  return {
    get: (org_id: number, { repo_id }: { repo_id?: number } = {}) =>
      repo_id === undefined
        ? request(options, 'getEgress', { path: { org_id } })
        : request(options, 'getRepoEgress', { path: { org_id, repo_id } }),
    save: (org_id: number, { repo_id, ...body }: Body<'saveEgress'> & { repo_id?: number }) =>
      repo_id === undefined
        ? request(options, 'saveEgress', { path: { org_id }, body })
        : request(options, 'saveRepoEgress', { path: { org_id, repo_id }, body }),
    listOfRun: (org_id: number, agent_run_id: number, query: Query<'listRunEgress'> = {}) =>
      request(options, 'listRunEgress', { path: { org_id, agent_run_id }, query }),
    listOfSandbox: (org_id: number, sandbox_id: number, query: Query<'listSandboxEgress'> = {}) =>
      request(options, 'listSandboxEgress', { path: { org_id, sandbox_id }, query }),
  }
}

function membersOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listMembers'> = {}) =>
      request(options, 'listMembers', { path: { org_id }, query }),
    create: (org_id: number, body: Body<'createMember'>) =>
      request(options, 'createMember', { path: { org_id }, body }),
    update: (org_id: number, user_id: number, body: Body<'updateMember'>) =>
      request(options, 'updateMember', { path: { org_id, user_id }, body }),
    remove: (org_id: number, user_id: number) => request(options, 'removeMember', { path: { org_id, user_id } }),
  }
}

/** Of an organization; where a repository is named, of that. Values go in and never come out. */
function secretsOf(options: ClientOptions) {
  return {
    list: (org_id: number, query: Query<'listSecrets'> & { repo_id?: number } = {}) => {
      const { repo_id, ...page } = query
      return repo_id === undefined
        ? request(options, 'listSecrets', { path: { org_id }, query: page })
        : request(options, 'listRepoSecrets', { path: { org_id, repo_id }, query: page })
    },
    save: (org_id: number, name: string, { value, repo_id }: Body<'saveSecret'> & { repo_id?: number }) =>
      repo_id === undefined
        ? request(options, 'saveSecret', { path: { org_id, name }, body: { value } })
        : request(options, 'saveRepoSecret', { path: { org_id, repo_id, name }, body: { value } }),
    remove: (org_id: number, name: string, { repo_id }: { repo_id?: number } = {}) =>
      repo_id === undefined
        ? request(options, 'removeSecret', { path: { org_id, name } })
        : request(options, 'removeRepoSecret', { path: { org_id, repo_id, name } }),
  }
}

function steeringOf(options: ClientOptions) {
  return {
    messages: {
      list: (org_id: number, agent_run_id: number, query: Query<'listMessages'> = {}) =>
        request(options, 'listMessages', { path: { org_id, agent_run_id }, query }),
      create: (org_id: number, agent_run_id: number, body: Body<'createMessage'>) =>
        request(options, 'createMessage', { path: { org_id, agent_run_id }, body }),
      revoke: (org_id: number, agent_run_id: number, n: number) =>
        request(options, 'revokeMessage', { path: { org_id, agent_run_id, n } }),
    },
    questions: {
      list: (org_id: number, agent_run_id: number, query: Query<'listQuestions'> = {}) =>
        request(options, 'listQuestions', { path: { org_id, agent_run_id }, query }),
      answer: (org_id: number, agent_run_id: number, n: number, answer: string) =>
        request(options, 'answerQuestion', { path: { org_id, agent_run_id, n }, body: { answer } }),
    },
    artifacts: {
      list: (org_id: number, agent_run_id: number, query: Query<'listArtifacts'> = {}) =>
        request(options, 'listArtifacts', { path: { org_id, agent_run_id }, query }),
      get: (org_id: number, agent_run_id: number, name: string) =>
        request(options, 'getArtifact', { path: { org_id, agent_run_id, name } }),
    },
    engines: {
      list: (org_id: number, query: Query<'listEngines'> = {}) =>
        request(options, 'listEngines', { path: { org_id }, query }),
    },
    models: {
      list: (org_id: number, query: Query<'listModels'> = {}) =>
        request(options, 'listModels', { path: { org_id }, query }),
    },
  }
}

function runsOf(options: ClientOptions) {
  const logs = (org_id: number, agent_run_id: number, query: Query<'listLog'> = {}, signal?: AbortSignal) =>
    request(options, 'listLog', { path: { org_id, agent_run_id }, query, signal })
  return {
    create: async (org_id: number, body: Omit<Body<'createRun'>, 'dry_run'>) =>
      (await request(options, 'createRun', { path: { org_id }, body })) as AgentRun,
    /** Makes nothing, and answers what would become of the run. */
    tryOut: async (org_id: number, body: Body<'createRun'>, { signal }: { signal?: AbortSignal } = {}) =>
      (await request(options, 'createRun', { path: { org_id }, body: { ...body, dry_run: true }, signal })) as DryRun,
    get: (org_id: number, agent_run_id: number) => request(options, 'getRun', { path: { org_id, agent_run_id } }),
    /** Its images and its output schema, which are in no other answer. */
    input: (org_id: number, agent_run_id: number) =>
      request(options, 'getRunInput', { path: { org_id, agent_run_id } }),
    list: (org_id: number, query: Query<'listRuns'> = {}) => request(options, 'listRuns', { path: { org_id }, query }),
    resume: (org_id: number, body: Body<'resumeRun'>) => request(options, 'resumeRun', { path: { org_id }, body }),
    update: (org_id: number, agent_run_id: number, body: Body<'updateRun'>) =>
      request(options, 'updateRun', { path: { org_id, agent_run_id }, body }),
    pause: (org_id: number, agent_run_id: number) => request(options, 'pauseRun', { path: { org_id, agent_run_id } }),
    continue: (org_id: number, agent_run_id: number) =>
      request(options, 'continueRun', { path: { org_id, agent_run_id } }),
    timeline: (org_id: number, agent_run_id: number) =>
      request(options, 'getTimeline', { path: { org_id, agent_run_id } }),
    cancel: (org_id: number, agent_run_id: number) => request(options, 'cancelRun', { path: { org_id, agent_run_id } }),
    ban: (org_id: number, agent_run_id: number) =>
      request(options, 'banRun', { path: { org_id }, body: { agent_run_id } }),
    unban: (org_id: number, agent_run_id: number) =>
      request(options, 'unbanRun', { path: { org_id }, body: { agent_run_id } }),
    removeFromPull: (org_id: number, agent_run_id: number) =>
      request(options, 'removeRunFromPull', { path: { org_id }, body: { agent_run_id } }),
    diff: (org_id: number, agent_run_id: number) => request(options, 'getRunDiff', { path: { org_id, agent_run_id } }),
    logs,
    /** The log as it grows, each entry once and in order, until the run has ended. */
    followLog: (org_id: number, agent_run_id: number, follow: FollowLog = {}) =>
      followLog(
        {
          readPage: (skip, limit) => logs(org_id, agent_run_id, { skip, limit }, follow.signal),
          openStream: async (after_seq) =>
            eventsOf(
              await send(options, 'streamLog', {
                path: { org_id, agent_run_id },
                query: { after_seq },
                signal: follow.signal,
              }),
            ),
        },
        follow,
      ),
    /** Status changes of all runs from now on, until the connection ends; there is no cursor, so list again then. */
    async *followStatuses(org_id: number, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<AgentRun> {
      const events = eventsOf(await send(options, 'streamRuns', { path: { org_id }, signal }))
      for await (const { event, data } of events ?? []) if (event === 'status') yield JSON.parse(data) as AgentRun
    },
  }
}

/** The service says a word every 15 s, even where there is nothing to say. */
const silenceMsMax = 40_000

/** The events of a stream; null where the service says that there are no more. */
function eventsOf({ status, body }: Response): AsyncIterable<ServerEvent> | null {
  return status === 204 || !body ? null : readEvents(body, { silenceMsMax })
}
