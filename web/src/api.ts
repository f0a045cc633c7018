import { createClient, RunwrightError, type AgentRun, type Check, type Client, type PullRequest } from '@runwright/sdk'
import { queryOptions } from '@tanstack/react-query'

export type RunIds = { organizationId: number; runId: number }
export type RunStatus = AgentRun['status']

/** As whoever has signed in: the browser adds the cookie. */
export const client: Client = createClient({ baseUrl: globalThis.location?.origin ?? '' })

export const isSignedOut = (error: unknown): boolean => error instanceof RunwrightError && error.status === 401

/** An address that names nothing, or nothing that one may see. */
export const isNotThere = (error: unknown): boolean =>
  error instanceof RunwrightError && [400, 403, 404].includes(error.status)

export const meQuery = () => queryOptions({ queryKey: ['me'], queryFn: () => client.me(), staleTime: Infinity })

export const signInWaysQuery = () =>
  queryOptions({ queryKey: ['sign-in-ways'], queryFn: () => client.session.listWays(), staleTime: Infinity })

/** What whoever has signed in is in this organization: pages offer what that may do, and the API holds it. */
export const roleQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['role', organizationId],
    queryFn: async () => (await client.users.get(organizationId, (await client.me()).id)).role,
    staleTime: Infinity,
  })

export const organizationsQuery = () =>
  queryOptions({
    queryKey: ['organizations'],
    queryFn: async () => (await client.organizations.list()).items,
    staleTime: Infinity,
  })

/** Which runs a list shows. */
export type RunFilter = {
  status?: RunStatus[]
  q?: string
  repo_id?: number
  user_id?: number
  created_before?: string
}

export const runsQuery = (organizationId: number, filter: RunFilter, limit: number) =>
  queryOptions({
    queryKey: ['runs', organizationId, filter, limit],
    queryFn: () => client.runs.list(organizationId, { ...filter, limit }),
    placeholderData: (before) => before,
  })

export const runQuery = ({ organizationId, runId }: RunIds) =>
  queryOptions({ queryKey: ['run', organizationId, runId], queryFn: () => client.runs.get(organizationId, runId) })

/** A part of a run that is read anew whenever its status changes. */
const partOfRun = <T>({ organizationId, runId }: RunIds, part: string, read: (o: number, r: number) => Promise<T>) =>
  queryOptions({ queryKey: ['run', organizationId, runId, part], queryFn: () => read(organizationId, runId) })

export const timelineQuery = (ids: RunIds) => partOfRun(ids, 'timeline', client.runs.timeline)
export const diffQuery = (ids: RunIds) => partOfRun(ids, 'diff', client.runs.diff)
export const questionsQuery = (ids: RunIds) =>
  partOfRun(ids, 'questions', async (o, r) => (await client.questions.list(o, r)).items)
export const messagesQuery = (ids: RunIds) =>
  partOfRun(ids, 'messages', async (o, r) => (await client.messages.list(o, r)).items)
export const artifactsQuery = (ids: RunIds) =>
  partOfRun(ids, 'artifacts', async (o, r) => (await client.artifacts.list(o, r)).items)

export type PullIds = { organizationId: number; repoId: number; number: number }

/** How often an open pull request is looked at again, with what is said of it. */
const lookAgainMs = 10_000
/** And what is being done just now. */
const soonMs = 2_000

/** Null where there is none. All that is read of a pull request has a key that begins with this one's. */
export const pullQuery = ({ organizationId, repoId, number }: PullIds) =>
  queryOptions({
    queryKey: ['pull', organizationId, repoId, number],
    queryFn: async () => (await client.pulls.list(organizationId, { repo_id: repoId, number })).items[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? lookAgainMs : false),
  })

/** Read anew for each commit that its branch comes to. */
export const pullDiffQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'diff', pull.head_commit],
    queryFn: () => client.pulls.diff(pull.organization_id, pull.id),
    // Whoever is writing about a line goes on while the branch moves.
    placeholderData: (before) => before,
  })

export const pullCommentsQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'comments'],
    queryFn: () => readAll((skip) => client.pulls.comments(pull.organization_id, pull.id, { skip })),
    refetchInterval: pull.state === 'open' ? lookAgainMs : false,
  })

async function readAll<Item>(read: (skip: number) => Promise<{ items: Item[]; total: number }>): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const { items, total } = await read(all.length)
    all.push(...items)
    if (!items.length || all.length >= total) return all
  }
}

export const reposQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['repos', organizationId],
    queryFn: async () => (await client.repos.list(organizationId)).items,
    staleTime: 60_000,
  })

export const usersQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['users', organizationId],
    queryFn: async () => (await client.users.list(organizationId)).items,
    staleTime: 60_000,
  })

export const enginesQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['engines', organizationId],
    queryFn: async () => (await client.engines.list(organizationId)).items,
    staleTime: 60_000,
  })

export const modelsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['models', organizationId],
    queryFn: async () => (await client.models.list(organizationId)).items,
    staleTime: 60_000,
  })

export const tokensQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['tokens', organizationId],
    queryFn: async () => (await client.tokens.list(organizationId)).items,
  })

/** The code hosts elsewhere that it is connected with. Repositories of one are listed soon after it is connected. */
export const integrationsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['integrations', organizationId],
    queryFn: async () => (await client.integrations.list(organizationId)).integrations.filter(({ id }) => id !== null),
    refetchInterval: ({ state }) =>
      state.data?.some(({ active, synced_at: at }) => active && at === null) ? soonMs : lookAgainMs,
  })

export const pullChecksQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'checks', pull.head_commit],
    queryFn: async () => (await client.pulls.checks(pull.organization_id, pull.id, { limit: 100 })).items,
    placeholderData: (before) => before,
    refetchInterval: pull.state === 'open' ? lookAgainMs : false,
  })

export const pullCheckLogQuery = (pull: PullRequest, { key, status }: Check) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'check-log', key, status],
    queryFn: () => client.pulls.checkLog(pull.organization_id, pull.id, key),
  })

export const pullReviewsQuery = (pull: PullRequest) =>
  queryOptions({
    queryKey: ['pull', pull.organization_id, pull.repo_id, pull.number, 'reviews'],
    queryFn: async () => (await client.pulls.reviews(pull.organization_id, pull.id, { limit: 100 })).items,
    refetchInterval: pull.state === 'open' ? lookAgainMs : false,
  })

export type RepoIds = { organizationId: number; repoId: number }

/** All that is read of issues has a key that begins with this one's. */
export const issuesQuery = ({ organizationId, repoId }: RepoIds) =>
  queryOptions({
    queryKey: ['issues', organizationId, repoId],
    queryFn: async () => (await client.issues.list(organizationId, repoId, { limit: 100 })).items,
  })

export const issueQuery = ({ organizationId, repoId, number }: RepoIds & { number: number }) =>
  queryOptions({
    queryKey: [...issuesQuery({ organizationId, repoId }).queryKey, number],
    queryFn: () => client.issues.get(organizationId, repoId, number),
    refetchInterval: lookAgainMs,
  })

export const issueCommentsQuery = (place: RepoIds & { number: number }) =>
  queryOptions({
    queryKey: [...issueQuery(place).queryKey, 'comments'],
    queryFn: async () => {
      const { organizationId, repoId, number } = place
      return readAll((skip) => client.issues.comments(organizationId, repoId, number, { skip }))
    },
    refetchInterval: lookAgainMs,
  })
