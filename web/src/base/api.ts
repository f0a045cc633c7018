import { createClient, RunwrightError, type AgentRun, type Check, type Client, type PullRequest } from '@runwright/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'

export type RunIds = { organizationId: number; runId: number }
export type RunStatus = AgentRun['status']

/** As whoever has signed in: the browser adds the cookie. */
export const client: Client = createClient({ baseUrl: globalThis.location?.origin ?? '' })

export const isSignedOut = (error: unknown): boolean => error instanceof RunwrightError && error.status === 401

/** An address that names nothing, or nothing that one may see. */
export const isNotThere = (error: unknown): boolean =>
  error instanceof RunwrightError && [400, 403, 404].includes(error.status)

/** What the service says of something that is not there, or is there no more; nothing where it may not be seen. */
export const whyNotThere = (error: unknown): string | undefined =>
  error instanceof RunwrightError && error.status === 404 ? error.message : undefined

type Page<Item> = { items: Item[]; total: number }
type ReadPage<Item> = (page: { skip: number; limit: number }) => Promise<Page<Item>>

/** An answer of the API holds no more. */
const pageSize = 100
/** What is read as one is never more than a page can use; names beyond are shown as numbers. */
const allMax = 2_000

async function readAll<Item>(read: ReadPage<Item>): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const { items, total } = await read({ skip: all.length, limit: pageSize })
    all.push(...items)
    if (!items.length || all.length >= Math.min(total, allMax)) return all
  }
}

/** A list that grows by a page whenever somebody wants to see more of it. */
const pagesQuery = <Item extends { id: number }, Key extends readonly unknown[]>(
  queryKey: Key,
  read: ReadPage<Item>,
  limit = pageSize,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: skip }) => read({ skip, limit }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0)
      return last.items.length && count < last.total ? count : undefined
    },
    // What came to the list meanwhile has moved the rest on, so that two pages may hold the same.
    select: ({ pages }) => ({
      items: [...new Map(pages.flatMap(({ items }) => items.map((item) => [item.id, item]))).values()],
      total: pages.at(-1)?.total ?? 0,
    }),
  })

export const meQuery = () =>
  queryOptions({ queryKey: ['me'], queryFn: () => client.users.getMe(), staleTime: Infinity })

export const signInWaysQuery = () =>
  queryOptions({ queryKey: ['sign-in-ways'], queryFn: () => client.sessions.listSignInWays(), staleTime: Infinity })

/** What whoever has signed in is in this organization: pages offer what that may do, and the API holds it. */
export const roleQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['role', organizationId],
    queryFn: async ({ client: queries }) => {
      const { id } = await queries.ensureQueryData(meQuery())
      return (await client.users.getUser({ org_id: organizationId, user_id: id })).role
    },
    staleTime: Infinity,
  })

export const organizationsQuery = () =>
  queryOptions({
    queryKey: ['organizations'],
    queryFn: () => readAll((page) => client.organizations.listOrganizations(page)),
    staleTime: Infinity,
  })

export const organizationQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['organization', organizationId],
    queryFn: () => client.organizations.getOrganization({ org_id: organizationId }),
    staleTime: 60_000,
  })

/** Which runs a list shows. */
export type RunFilter = {
  status?: RunStatus[]
  q?: string
  repo_id?: number
  parent_run_id?: number
  user_id?: number
  agent_type?: string
  created_after?: string
  created_before?: string
  archived?: boolean
}

export const runsQuery = (organizationId: number, filter: RunFilter, limit: number) =>
  queryOptions({
    queryKey: ['runs', organizationId, filter, limit],
    queryFn: () => client.runs.listRuns({ org_id: organizationId, ...filter, limit }),
    placeholderData: (before) => before,
  })

const runsPageSize = 40

/** All runs of a filter, a page at a time. */
export const runPagesQuery = (organizationId: number, filter: RunFilter) => ({
  ...pagesQuery(
    ['runs', organizationId, 'pages', filter],
    (page) => client.runs.listRuns({ org_id: organizationId, ...filter, ...page }),
    runsPageSize,
  ),
  placeholderData: keepPreviousData,
})

export const runQuery = ({ organizationId, runId }: RunIds) => {
  const queryKey = ['run', organizationId, runId]
  return queryOptions({
    queryKey,
    queryFn: async ({ client: queries }) => {
      const run = await client.runs.getRun({ org_id: organizationId, agent_run_id: runId })
      return newerOf(queries.getQueryData<AgentRun>(queryKey), run)
    },
  })
}

/** Shows a run as an action has answered it. Streams overtake answers, so it may be older than what is shown. */
export function putRun(queries: QueryClient, run: AgentRun): void {
  const { queryKey } = runQuery({ organizationId: run.organization_id, runId: run.id })
  queries.setQueryData<AgentRun>(queryKey, (before) => newerOf(before, run))
}

const newerOf = (before: AgentRun | undefined, run: AgentRun): AgentRun =>
  before && before.updated_at > run.updated_at ? before : run

/** A part of a run that is read anew whenever its status changes. */
const partOfRun = <T>(
  { organizationId, runId }: RunIds,
  part: string,
  read: (run: { org_id: number; agent_run_id: number }) => Promise<T>,
) =>
  queryOptions({
    queryKey: ['run', organizationId, runId, part],
    queryFn: () => read({ org_id: organizationId, agent_run_id: runId }),
  })

export const timelineQuery = (ids: RunIds) => partOfRun(ids, 'timeline', (run) => client.runs.getTimeline(run))
export const diffQuery = (ids: RunIds) => partOfRun(ids, 'diff', (run) => client.runs.getRunDiff(run))
export const questionsQuery = (ids: RunIds) =>
  partOfRun(ids, 'questions', (run) => readAll((page) => client.questions.listQuestions({ ...run, ...page })))
export const messagesQuery = (ids: RunIds) =>
  partOfRun(ids, 'messages', (run) => readAll((page) => client.messages.listMessages({ ...run, ...page })))
export const artifactsQuery = (ids: RunIds) =>
  partOfRun(ids, 'artifacts', (run) => readAll((page) => client.artifacts.listArtifacts({ ...run, ...page })))

/** The newest first. */
export const sandboxesOfRunQuery = (ids: RunIds) =>
  partOfRun(ids, 'sandboxes', async (run) => (await client.sandboxes.listSandboxes(run)).items)

export type PullIds = { organizationId: number; repoId: number; number: number }

/** How often an open pull request is looked at again, with what is said of it. */
const lookAgainMs = 10_000
/** And what is being done just now. */
const soonMs = 2_000

/** Null where there is none. All that is read of a pull request has a key that begins with this one's. */
export const pullQuery = ({ organizationId, repoId, number }: PullIds) =>
  queryOptions({
    queryKey: ['pull', organizationId, repoId, number],
    queryFn: async () =>
      (await client.pullRequests.listPulls({ org_id: organizationId, repo_id: repoId, number })).items[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? lookAgainMs : false),
  })

/** Read anew for each commit that its branch comes to. */
export const pullDiffQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'diff', pull.head_commit],
    queryFn: () => client.pullRequests.getPullDiff({ org_id: pull.organization_id, pr_id: pull.id }),
    // Whoever is writing about a line goes on while the branch moves.
    placeholderData: (before) => before,
  })

export const pullCommentsQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'comments'],
    queryFn: () =>
      readAll((page) =>
        client.pullRequests.listPullComments({ org_id: pull.organization_id, pr_id: pull.id, ...page }),
      ),
    refetchInterval: pull.state === 'open' ? lookAgainMs : false,
  })

/** All of them, for their names. Everything that is read of repositories has a key that begins with this one's. */
export const reposQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['repos', organizationId],
    queryFn: () => readAll((page) => client.repositories.listRepos({ org_id: organizationId, ...page })),
    staleTime: 60_000,
  })

const branchesShown = 100

/** The first branches whose names hold these words. */
export const branchesQuery = (organizationId: number, repoId: number, words: string) =>
  queryOptions({
    queryKey: ['repos', organizationId, repoId, 'branches', words],
    queryFn: () =>
      client.repositories.listBranches({
        org_id: organizationId,
        repo_id: repoId,
        ...(words && { q: words }),
        limit: branchesShown,
      }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  })

export const repoPagesQuery = (organizationId: number) =>
  pagesQuery(['repos', organizationId, 'pages'], (page) =>
    client.repositories.listRepos({ org_id: organizationId, ...page }),
  )

export const usersQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['users', organizationId],
    queryFn: () => readAll((page) => client.users.listUsers({ org_id: organizationId, ...page })),
    staleTime: 60_000,
  })

export const enginesQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['engines', organizationId],
    queryFn: () => readAll((page) => client.engines.listEngines({ org_id: organizationId, ...page })),
    staleTime: 60_000,
  })

export const modelsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['models', organizationId],
    queryFn: () => readAll((page) => client.engines.listModels({ org_id: organizationId, ...page })),
    staleTime: 60_000,
  })

export const tokensQuery = (organizationId: number) =>
  pagesQuery(['tokens', organizationId], (page) => client.tokens.listTokens({ org_id: organizationId, ...page }))

export const workerTokensQuery = (organizationId: number) => ({
  ...pagesQuery(['worker-tokens', organizationId], (page) =>
    client.workers.listWorkerTokens({ org_id: organizationId, ...page }),
  ),
  // Who is connected changes by itself.
  refetchInterval: 5_000,
})

/** Which entries of the audit log are shown; days as `2026-11-22`. */
export type AuditFilter = { person?: number; action?: string; from?: string; to?: string }

/** The audit log, newest first. Days are those of the reader; the last one is in it. */
export const auditQuery = (organizationId: number, { person, action, from, to }: AuditFilter) =>
  pagesQuery(
    ['audit', organizationId, person, action, from, to],
    (page) =>
      client.organizations.listAuditEntries({
        org_id: organizationId,
        ...(person !== undefined && { user_id: person }),
        ...(action !== undefined && { action }),
        ...(from !== undefined && { from: new Date(`${from}T00:00`).toISOString() }),
        ...(to !== undefined && { to: new Date(Date.parse(`${to}T00:00`) + dayMs).toISOString() }),
        ...page,
      }),
    50,
  )

export const dayMs = 24 * 60 * 60_000

export const mcpServersQuery = (organizationId: number) =>
  pagesQuery(['mcp-servers', organizationId], (page) =>
    client.mcpServers.listMcpServers({ org_id: organizationId, ...page }),
  )

/** Null: the run is no contestant of any. */
export const comparisonOfRunQuery = (organizationId: number, runId: number) =>
  queryOptions({
    queryKey: ['comparison of run', organizationId, runId],
    queryFn: async () => {
      const { items } = await client.comparisons.listComparisons({ org_id: organizationId, run_id: runId, limit: 1 })
      return items[0] ?? null
    },
    staleTime: Infinity,
  })

export const modelProvidersQuery = (organizationId: number) =>
  pagesQuery(['model-providers', organizationId], (page) =>
    client.modelProviders.listModelProviders({ org_id: organizationId, ...page }),
  )

export const storageQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['storage', organizationId],
    queryFn: () => client.organizations.getStorage({ org_id: organizationId }),
  })

/** The code hosts elsewhere that it is connected with. Repositories of one are listed soon after it is connected. */
export const integrationsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['integrations', organizationId],
    queryFn: async () =>
      (await client.organizations.listIntegrations({ org_id: organizationId })).integrations.filter(
        ({ id }) => id !== null,
      ),
    refetchInterval: ({ state }) =>
      state.data?.some(({ active, synced_at: at }) => active && at === null) ? soonMs : lookAgainMs,
  })

/** How the connection to a code host stands. `syncedFrom`: when somebody has last had it looked at. */
export const integrationHealthQuery = (organizationId: number, integrationId: number, syncedFrom = 0) =>
  queryOptions({
    queryKey: ['integration-health', organizationId, integrationId],
    queryFn: () => client.organizations.getIntegrationHealth({ org_id: organizationId, integration_id: integrationId }),
    refetchInterval: ({ state }) =>
      state.data?.integration.synced_at === null || Date.now() - syncedFrom < 2 * lookAgainMs ? soonMs : lookAgainMs,
  })

/** Background work that failed at every try, the latest first. */
export const failedJobsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['failed-jobs', organizationId],
    queryFn: async () => client.organizations.listFailedJobs({ org_id: organizationId, limit: 20 }),
    refetchInterval: lookAgainMs,
  })

export const pullChecksQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'checks', pull.head_commit],
    queryFn: () =>
      readAll((page) => client.checks.listPullChecks({ org_id: pull.organization_id, pr_id: pull.id, ...page })),
    placeholderData: (before) => before,
    refetchInterval: pull.state === 'open' ? lookAgainMs : false,
  })

export const pullCheckLogQuery = (pull: PullRequest, { key, status }: Check) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'check-log', key, status],
    queryFn: () => client.checks.getPullCheckLog({ org_id: pull.organization_id, pr_id: pull.id, check_key: key }),
  })

export const pullReviewsQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'reviews'],
    queryFn: () =>
      readAll((page) => client.pullRequests.listReviews({ org_id: pull.organization_id, pr_id: pull.id, ...page })),
    refetchInterval: pull.state === 'open' ? lookAgainMs : false,
  })

export type RepoIds = { organizationId: number; repoId: number }

export const pullsQuery = ({ organizationId, repoId }: RepoIds, state: 'open' | 'closed' | 'all') =>
  pagesQuery(['pulls', organizationId, repoId, state], (page) =>
    client.pullRequests.listPulls({
      org_id: organizationId,
      repo_id: repoId,
      ...(state === 'all' ? {} : { state }),
      ...page,
    }),
  )

/** All that is read of issues has a key that begins with this one's. */
export const issuesKey = ({ organizationId, repoId }: RepoIds) => ['issues', organizationId, repoId] as const

export const issuesQuery = (ids: RepoIds, state: 'open' | 'closed' | 'all' = 'all') =>
  pagesQuery([...issuesKey(ids), 'pages', state], (page) =>
    client.issues.listIssues({ org_id: ids.organizationId, repo_id: ids.repoId, state, ...page }),
  )

export const issueQuery = ({ organizationId, repoId, number }: RepoIds & { number: number }) =>
  queryOptions({
    queryKey: [...issuesKey({ organizationId, repoId }), number],
    queryFn: () => client.issues.getIssue({ org_id: organizationId, repo_id: repoId, n: number }),
    refetchInterval: lookAgainMs,
  })

export const issueCommentsQuery = (place: RepoIds & { number: number }) =>
  queryOptions({
    queryKey: [...issueQuery(place).queryKey, 'comments'],
    queryFn: async () => {
      const { organizationId, repoId, number } = place
      return readAll((page) =>
        client.issues.listIssueComments({ org_id: organizationId, repo_id: repoId, n: number, ...page }),
      )
    },
    refetchInterval: lookAgainMs,
  })
