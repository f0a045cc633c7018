import type { RunFilter, RunStatus } from '#base/api.ts'
import type { RunList, RunsSearch, Since } from '#base/search.ts'
import { hasEnded, runStatuses, statusWords } from '#base/status.ts'
import { formatDay } from '#ui/format.ts'

export const statusesOf: Record<Exclude<RunList, 'mine'>, RunStatus[]> = {
  needs: ['waiting_for_user'],
  work: ['in_progress', 'queued', 'paused'],
  ended: runStatuses.filter(hasEnded),
}

export const sinceWords: Record<Since, string> = { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' }
const sinceDays: Record<Since, number> = { today: 0, week: 7, month: 30 }
const dayMs = 86_400_000

/** What the API is asked for, for what is in the address. */
export function toFilter(search: RunsSearch, { myId, now }: { myId: number | undefined; now: Date }): RunFilter {
  const { show, q, repo, status, person, engine, since, from, to, archived } = search
  const userId = person ?? (show === 'mine' ? myId : undefined)
  const statuses = status ? [status] : show && show !== 'mine' ? statusesOf[show] : undefined
  // Midnight where the person is; the same for a whole day, so that a list is not read anew with each look.
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const after = since ? new Date(midnight.getTime() - sinceDays[since] * dayMs) : from && localDay(from)
  return {
    ...(statuses && { status: statuses }),
    ...(userId && { user_id: userId }),
    ...(q && { q }),
    ...(repo && { repo_id: repo }),
    ...(engine && { agent_type: engine }),
    ...(after && { created_after: after.toISOString() }),
    ...(to && { created_before: new Date(localDay(to).getTime() + dayMs).toISOString() }),
    ...(archived && { archived: true }),
  }
}

const localDay = (day: string): Date => new Date(`${day}T00:00`)

export type FilterNames = { person: (id: number) => string; repo: (id: number) => string }

/** The filters beside the tabs, in words, with the part of the address that each of them is. */
export function filterWords(search: RunsSearch, names: FilterNames): { keys: (keyof RunsSearch)[]; words: string }[] {
  const { repo, status, person, engine, since, from, to, archived } = search
  return [
    status && { keys: ['status' as const], words: statusWords[status] },
    person && { keys: ['person' as const], words: `By ${names.person(person)}` },
    engine && { keys: ['engine' as const], words: `Engine ${engine}` },
    repo && { keys: ['repo' as const], words: `In ${names.repo(repo)}` },
    since && { keys: ['since' as const], words: sinceWords[since] },
    !since && from && { keys: ['from' as const], words: `Since ${formatDay(`${from}T00:00`)}` },
    to && { keys: ['to' as const], words: `Until ${formatDay(`${to}T00:00`)}` },
    archived && { keys: ['archived' as const], words: 'Archived' },
  ].filter((one) => typeof one === 'object')
}
