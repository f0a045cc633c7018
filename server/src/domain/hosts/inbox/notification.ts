import { reviewerState } from '#domain/hosts/pulls/reviewer.ts'
import type { RunStatus } from '#domain/runs/run.ts'

export const notificationKinds = ['question', 'plan', 'failure', 'merge', 'review'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/**
 * Something that a run has to tell people, or a request to review, made once by a trigger of the database in the transaction in
 * which it happens. All channels read these: the inbox what is for one person, others in the order of `listNotifications`.
 */
export type Notification = {
  organizationId: number
  id: number
  kind: NotificationKind
  /** Who started the run, null where that was nobody of ours; or who is asked for a review. */
  userId: number | null
  /** Null of kind `review`. */
  runId: number | null
  /** Of the kinds `merge` and `review`. */
  pullId: number | null
  /** The question, the plan, why it failed, or the title of the pull request. Redacted. */
  text: string
  createdAt: Date
  /** When its person has read it. */
  readAt: Date | null
}

/** As it stands in somebody's inbox. */
export type InboxItem = Notification & {
  run: { title: string; status: RunStatus } | null
  pull: { repoId: number; number: number } | null
}

/** Columns of a `Notification`, of `notifications n`. */
export const notificationColumns = `n.organization_id, n.id, n.kind, n.user_id, n.run_id,
  n.pull_id, n.text, n.created_at, n.read_at`

/** Columns of an `InboxItem`, of `itemTables`. */
export const itemColumns = `${notificationColumns}, case when r.id is not null then json_build_object('status', h.status,
  'title', coalesce(r.title, left(split_part(btrim(r.prompt, e' \\t\\r\\n'), e'\\n', 1), 200))) end as run,
  case when p.id is not null then json_build_object('repoId', p.repo_id, 'number', p.number) end as pull`

export const itemTables = `notifications n
  left join runs r on r.organization_id = n.organization_id and r.id = n.run_id
  left join run_heads h on h.organization_id = n.organization_id and h.run_id = n.run_id
  left join pulls p on p.organization_id = n.organization_id and p.id = n.pull_id`

/** Of what `itemTables` join: it still stands as it was told. */
export const stillHolds = `case
  when n.kind in ('question', 'plan') then h.status = 'waiting_for_user' and exists (select from questions q
    where q.organization_id = n.organization_id and q.run_id = n.run_id and q.n::text = n.subject and q.answered_at is null)
  when n.kind = 'failure' then (h.status = 'failed' or (h.status = 'paused' and h.status_detail = 'waiting_for_host'))
    and h.turn::text = n.subject
  when n.kind = 'merge' then h.status = 'completed' and p.state = 'open' and not p.draft and p.head_commit = n.subject
    and p.ready_commit = n.subject
  else p.state = 'open' and exists (select from pull_reviewers v where v.organization_id = n.organization_id
    and v.pull_id = n.pull_id and v.user_id = n.user_id and v.requests::text = n.subject and v.removed_at is null
    and ${reviewerState} = 'requested') end`
