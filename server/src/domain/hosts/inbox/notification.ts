import type { RunStatus } from '#domain/runs/run.ts'

export const notificationKinds = ['question', 'plan', 'failure', 'merge'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/**
 * Something that a run has to tell people, made once by a trigger of the database in the transaction in which it happens. All
 * channels read these: the inbox what is for one person, others in the order of `listNotifications`.
 */
export type Notification = {
  organizationId: number
  id: number
  kind: NotificationKind
  /** Who started the run; null where that was nobody of ours. */
  userId: number | null
  runId: number
  /** Of kind `merge`. */
  pullId: number | null
  /** The question, the plan, why it failed, or the title of the pull request. Redacted. */
  text: string
  createdAt: Date
  /** When its person has read it. */
  readAt: Date | null
}

/** As it stands in somebody's inbox. */
export type InboxItem = Notification & { run: { title: string; status: RunStatus } }

/** Columns of a `Notification`, of `notifications n`. */
export const notificationColumns = `n.organization_id, n.id, n.kind, n.user_id, n.run_id,
  n.pull_id, n.text, n.created_at, n.read_at`

/** Columns of an `InboxItem`, from `notifications n join runs r join run_heads h`. */
export const itemColumns = `${notificationColumns}, json_build_object('status', h.status,
  'title', coalesce(r.title, left(split_part(btrim(r.prompt, e' \\t\\r\\n'), e'\\n', 1), 200))) as run`

export const itemTables = `notifications n join runs r on r.organization_id = n.organization_id and r.id = n.run_id
  join run_heads h on h.organization_id = n.organization_id and h.run_id = n.run_id`

/** Of what `itemTables` join: it still stands as it was told. */
export const stillHolds = `case
  when n.kind in ('question', 'plan') then h.status = 'waiting_for_user' and exists (select from questions q
    where q.organization_id = n.organization_id and q.run_id = n.run_id and q.n::text = n.subject and q.answered_at is null)
  when n.kind = 'failure' then (h.status = 'failed' or (h.status = 'paused' and h.status_detail = 'waiting_for_host'))
    and h.turn::text = n.subject
  else h.status = 'completed' and exists (select from pulls p where p.organization_id = n.organization_id and p.id = n.pull_id
    and p.state = 'open' and not p.draft and p.head_commit = n.subject and p.ready_commit = n.subject) end`
