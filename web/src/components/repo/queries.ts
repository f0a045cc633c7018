import type { Operations, Repository } from '@runwright/sdk'
import { queryOptions, useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { client, reposQuery, type RepoIds } from '#base/api.ts'

/** How often a page looks whether a worker has changed what it shows. */
const workingMs = 3_000
/** How many of a repository's runs are looked through for what the network refused. */
const runsLookedAt = 10
const shown = { limit: 50 }

/** Its key begins with that of all repositories, so that what changes one is seen in lists too. */
const ofRepo = ({ organizationId, repoId }: RepoIds, part: string) =>
  [...reposQuery(organizationId).queryKey, 'one', repoId, part] as const

export const repoQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'itself'),
    queryFn: () => client.repositories.getRepo({ org_id: ids.organizationId, repo_id: ids.repoId }),
    refetchInterval: ({ state }) => (state.data?.setup_status === 'generating' ? workingMs : false),
  })

export const proposalsQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'proposals'),
    queryFn: () =>
      client.repositories.listSetupProposals({ org_id: ids.organizationId, repo_id: ids.repoId, ...shown }),
  })

export const snapshotsQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'snapshots'),
    queryFn: () => client.repositories.listSnapshots({ org_id: ids.organizationId, repo_id: ids.repoId, ...shown }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ state }) => state === 'making') ? workingMs : 10 * workingMs,
  })

export const checkSettingsQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'check settings'),
    queryFn: () => client.repositories.getCheckSettings({ org_id: ids.organizationId, repo_id: ids.repoId }),
  })

export const rulesQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['rules', organizationId],
    queryFn: () => client.rules.getRules({ org_id: organizationId }),
  })

/** Names alone: no answer ever holds a value. */
export const secretsQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'secrets'),
    queryFn: async () => ({
      own: (await client.secrets.listRepoSecrets({ org_id: ids.organizationId, repo_id: ids.repoId, limit: 100 }))
        .items,
      inherited: (await client.secrets.listSecrets({ org_id: ids.organizationId, limit: 100 })).items,
    }),
  })

/** As many as a repository can have. */
export const deployKeysQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'deploy keys'),
    queryFn: () => client.repositories.listDeployKeys({ org_id: ids.organizationId, repo_id: ids.repoId, ...shown }),
  })

export const egressQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'egress'),
    queryFn: () => client.egress.getRepoEgress({ org_id: ids.organizationId, repo_id: ids.repoId }),
  })

export type Refused = { name: string; port: number; reason: string | null; count: number; runId: number; at: string }

/** What the latest runs asked of the network and did not get, the most frequent first. */
export const refusedQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'refused'),
    queryFn: async (): Promise<Refused[]> => {
      const { organizationId, repoId } = ids
      const { items: runs } = await client.runs.listRuns({
        org_id: organizationId,
        repo_id: repoId,
        limit: runsLookedAt,
      })
      const pages = await Promise.all(
        runs.map(async ({ id }) => ({
          id,
          page: await client.egress.listRunEgress({ org_id: organizationId, agent_run_id: id, limit: 100 }),
        })),
      )
      const found = new Map<string, Refused>()
      for (const { id: runId, page } of pages)
        for (const { name, port, reason, allowed, at } of page.items) {
          if (allowed) continue
          const key = `${name}:${port}`
          const before = found.get(key)
          found.set(key, before ? { ...before, count: before.count + 1 } : { name, port, reason, count: 1, runId, at })
        }
      return [...found.values()].toSorted((one, other) => other.count - one.count)
    },
  })

/** As a dry run answers it: the settings and `.runwright.yml` together. */
export type RepoEnvironment = {
  commit: string | null
  setup: string[]
  checks: { name: string; command: string }[]
  push: { needs_person: string[]; max_bytes: number | null; max_files: number | null } | null
  egress: { allow: string[]; presets: string[] }
  problems: { line: number; message: string }[]
}

/** Nothing is started by asking; null where the repository has no commits yet. */
export const environmentQuery = (ids: RepoIds) =>
  queryOptions({
    queryKey: ofRepo(ids, 'environment'),
    queryFn: async () => {
      const prompt = 'How is this repository prepared?'
      const { configuration } = await client.runs.dryRun({ org_id: ids.organizationId, repo_id: ids.repoId, prompt })
      return (configuration['environment'] ?? null) as RepoEnvironment | null
    },
  })

type Change = Omit<Operations['updateRepo']['input'], 'org_id' | 'repo_id'>

/** Changes settings of a repository; whatever shows them is read again. */
export function useSaveRepo({ organizationId, repoId }: RepoIds): UseMutationResult<Repository, Error, Change> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) =>
      client.repositories.updateRepo({ org_id: organizationId, repo_id: repoId, ...change }),
    onSuccess: () => queries.invalidateQueries({ queryKey: reposQuery(organizationId).queryKey }),
  })
}
