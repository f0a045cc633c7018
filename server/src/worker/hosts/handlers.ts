import type { HostEvent } from '#base/hosts/host-event.ts'
import { queueLocalChecks } from '#worker/checks/queue-local-checks.ts'
import { actOnComment } from '#worker/hosts/mentions/act-on-comment.ts'
import { actOnReview } from '#worker/hosts/mentions/act-on-review.ts'
import { actOnIssue } from '#worker/hosts/mentions/act-on-issue.ts'
import { actOnButton } from '#worker/hosts/fixers/act-on-button.ts'
import { observeEvent } from '#worker/hosts/fixers/observe-event.ts'
import { askCodeOwners } from '#worker/hosts/reviews/ask-code-owners.ts'
import { awaitCommitsReview } from '#worker/hosts/reviews/await-commits-review.ts'
import { awaitPullReview } from '#worker/hosts/reviews/await-pull-review.ts'
import { observeLockfiles } from '#worker/runs/setup/observe-lockfiles.ts'
import type { Handler } from './events/handler.ts'

type Handlers = { [T in HostEvent['type']]: readonly Handler<Extract<HostEvent, { type: T }>>[] }

/** Who acts on what, in this order. */
export const handlers: Handlers = {
  comment: [actOnComment, observeEvent],
  issue: [actOnIssue],
  pull: [queueLocalChecks, askCodeOwners, observeEvent, awaitPullReview],
  review: [actOnReview, observeEvent],
  push: [queueLocalChecks, observeEvent, awaitCommitsReview, observeLockfiles],
  checks_changed: [observeEvent],
  button: [actOnButton],
}
