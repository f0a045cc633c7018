import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { notificationKinds } from '#domain/hosts/inbox/notification.ts'
import { runStatuses } from '#domain/runs/run.ts'
import { Component, Id, Nullable, Ordinal, PageOf, Text, Time, Word } from './fields.ts'

export const NotificationKind = Word(notificationKinds, {
  description:
    'The run asks a question, proposes a plan, or has failed, or its pull request is ready to merge: open, no draft, without conflicts, and with checks that have passed. `review`: somebody asks you to review a pull request, or its base branch names you in CODEOWNERS.',
})
export const Muted = Type.Array(NotificationKind, {
  maxItems: notificationKinds.length,
  description: 'Kinds that the inbox leaves out.',
})
export const NotificationParams = Type.Object({ org_id: Id, notification_id: Id })

const InboxItem = Component('InboxItem', {
  id: Id,
  organization_id: Id,
  kind: NotificationKind,
  run_id: Nullable(
    Type.Integer({ ...Id, description: 'Null for a request to review, which is about a pull request.' }),
  ),
  run_title: Nullable(Type.String({ description: 'The title of the run, or the first line of its prompt.' })),
  run_status: Nullable(Word(runStatuses)),
  pr_id: Nullable(Id),
  pr_number: Nullable(Ordinal),
  repo_id: Nullable(Type.Integer({ ...Id, description: 'Of the pull request.' })),
  text: Type.String({
    description: 'The question, the plan, the reason of the failure, or the title of the pull request.',
  }),
  created_at: Time,
  read_at: Nullable(Time),
})
const InboxSettings = Component('InboxSettings', { muted: Muted })

export const ViewParams = Type.Object({ org_id: Id, view_id: Id })
export const newView = {
  name: Text(limits.viewNameCharactersMax),
  query: Type.String({
    maxLength: limits.viewQueryCharactersMax,
    description: 'The query string of the run list in the web UI, such as `status=failed&since=week`.',
  }),
}
const ViewBody = Component('View', { id: Id, ...newView })

export const inboxComponents = [InboxItem, PageOf(InboxItem), InboxSettings, ViewBody, PageOf(ViewBody)]
