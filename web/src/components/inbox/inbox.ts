import type { InboxItem } from '@runwright/sdk'
import { mutationOptions, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { client } from '#base/api.ts'

export const kinds = ['question', 'plan', 'failure', 'merge', 'review'] as const
export type Kind = InboxItem['kind']

export const kindWords: Record<Kind, string> = {
  question: 'Asks a question',
  plan: 'Proposes a plan',
  failure: 'Failed',
  merge: 'Ready to merge',
  review: 'Review requested',
}

/** Where people look at what an item is about. */
export const pathOf = ({
  organization_id: organizationId,
  run_id: runId,
  repo_id: repoId,
  pr_number: number,
}: InboxItem) =>
  runId === null
    ? `/organizations/${organizationId}/repos/${repoId}/pulls/${number}`
    : `/runs/${organizationId}/${runId}`

const itemsMax = 60
/** What is read or muted elsewhere shows by then. */
const lookAgainMs = 20_000

/** Read anew with each change of a run's status. */
export const inboxQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['inbox', organizationId],
    queryFn: () => client.inbox.listInbox({ org_id: organizationId, limit: itemsMax }),
    refetchInterval: lookAgainMs,
  })

export const inboxSettingsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: ['inbox-settings', organizationId],
    queryFn: () => client.inbox.getInboxSettings({ org_id: organizationId }),
  })

/** Marks an item as read, and all older ones where that is wanted. */
export function useMarkRead(organizationId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, and_older = false }: { id: number; and_older?: boolean }) =>
      client.inbox.markRead({ org_id: organizationId, notification_id: id, and_older }),
    onSettled: () => queries.invalidateQueries(inboxQuery(organizationId)),
  })
}

/** Mutes these kinds. */
export const saveMuted = (organizationId: number, queries: QueryClient) =>
  mutationOptions({
    mutationFn: (muted: Kind[]) => client.inbox.saveInboxSettings({ org_id: organizationId, muted }),
    onSuccess: (settings) => {
      queries.setQueryData(inboxSettingsQuery(organizationId).queryKey, settings)
      return queries.invalidateQueries(inboxQuery(organizationId))
    },
  })
