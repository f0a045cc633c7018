import type { HostEvent } from '#base/hosts/host-event.ts'
import { queueLocalChecks } from '#worker/checks/queue-local-checks.ts'
import { actOnComment } from '#worker/hosts/mentions/act-on-comment.ts'
import { actOnIssue } from '#worker/hosts/mentions/act-on-issue.ts'
import { noticeEvent } from '#worker/hosts/fixers/notice-event.ts'
import { awaitCommitsReview } from '#worker/hosts/reviews/await-commits-review.ts'
import { awaitPullReview } from '#worker/hosts/reviews/await-pull-review.ts'
import { noticeLockfiles } from '#worker/runs/setup/notice-lockfiles.ts'
import type { Handler } from './events/handler.ts'

type Handlers = { [T in HostEvent['type']]: readonly Handler<Extract<HostEvent, { type: T }>>[] }

/** Who acts on what, in this order. */
export const handlers: Handlers = {
  comment: [actOnComment, noticeEvent],
  issue: [actOnIssue],
  pull: [queueLocalChecks, noticeEvent, awaitPullReview],
  review: [noticeEvent],
  push: [queueLocalChecks, noticeEvent, awaitCommitsReview, noticeLockfiles],
  checks_changed: [noticeEvent],
}
