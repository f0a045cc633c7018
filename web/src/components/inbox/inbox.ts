import type { AgentRun } from '@runwright/sdk'
import { queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { client } from '#api.ts'

export const kinds = ['question', 'plan', 'failure', 'merge'] as const
export type Kind = (typeof kinds)[number]

export const kindWords: Record<Kind, string> = {
  question: 'Asks a question',
  plan: 'Proposes a plan',
  failure: 'Failed',
  merge: 'Ready to merge',
}

export type Item = { run: AgentRun; kind: Kind; at: string }

/** What a run's status says to the person who started it, if anything; its pull request is looked at by `useInbox`. */
export function kindOf(run: AgentRun): Kind | null {
  if (run.status === 'waiting_for_user') return run.status_detail === 'plan' ? 'plan' : 'question'
  return run.status === 'failed' ? 'failure' : null
}

const itemsMax = 60

/** Read anew with the lists of runs. */
export const inboxQuery = (organizationId: number, userId: number) =>
  queryOptions({
    queryKey: ['runs', organizationId, 'inbox', userId],
    queryFn: () =>
      client.runs.list(organizationId, {
        user_id: userId,
        status: ['waiting_for_user', 'failed', 'completed'],
        limit: itemsMax,
      }),
  })

/** What this person wants to be told of in this browser, and what they have seen. */
export type Wishes = { off: Kind[]; notifies: boolean; seen: Record<string, string>; seenUntil: string }

const listeners = new Set<() => void>()
const kept = new Map<string, Wishes>()
const keyOf = (organizationId: number, userId: number) => `inbox of ${organizationId}/${userId}`

export function readWishes(organizationId: number, userId: number): Wishes {
  const key = keyOf(organizationId, userId)
  const known = kept.get(key)
  if (known) return known
  const wishes = { off: [], notifies: false, seen: {}, seenUntil: '', ...readStored(key) }
  kept.set(key, wishes)
  return wishes
}

/** Nothing where it is not readable any more. */
function readStored(key: string): Partial<Wishes> {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}) as Partial<Wishes>
  } catch {
    return {}
  }
}

export function saveWishes(organizationId: number, userId: number, change: Partial<Wishes>): void {
  const wishes = { ...readWishes(organizationId, userId), ...change }
  kept.set(keyOf(organizationId, userId), wishes)
  localStorage.setItem(keyOf(organizationId, userId), JSON.stringify(wishes))
  for (const listener of listeners) listener()
}

export const useWishes = (organizationId: number, userId: number): Wishes =>
  useSyncExternalStore(
    (listener) => {
      const readAgain = (event: StorageEvent) => {
        if (event.key === keyOf(organizationId, userId)) kept.delete(event.key)
        listener()
      }
      listeners.add(listener)
      // Another tab has saved them.
      addEventListener('storage', readAgain)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', readAgain)
      }
    },
    () => readWishes(organizationId, userId),
  )

export const isUnread = ({ run, at }: Item, { seen, seenUntil }: Wishes): boolean =>
  at > seenUntil && seen[run.id] !== at
