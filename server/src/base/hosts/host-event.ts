/** What happens on a code host, in our words, whichever host it is: a hint to look, and never the truth by itself. */

/** Who did it, as the host knows them. */
export type HostActor = {
  /** Survives a change of the login. Of the built-in host the id of our user. */
  hostUserId: string
  login: string
  isBot: boolean
}

export type HostSubject = { kind: 'issue' | 'pull'; number: number }

export type HostEvent = {
  /** Null where the host does not say. */
  actor: HostActor | null
  /** RFC 3339. */
  at: string
} & (
  | {
      type: 'comment'
      on: HostSubject
      comment: { id: string; body: string; url: string }
      /** What it said before the actor has changed it, who need not be its writer; left out of one that is new. */
      before?: string
      /** A person of ours, who has said it there through us, under our name; no host can tell that. */
      author?: { userId: number; login: string; isBot: boolean }
    }
  | {
      type: 'issue'
      action: 'opened' | 'assigned' | 'labeled' | 'closed' | 'reopened'
      number: number
      label?: string
      assignee?: HostActor
    }
  | {
      type: 'pull'
      action: 'opened' | 'head_changed' | 'closed' | 'reopened' | 'ready' | 'review_requested' | 'edited'
      number: number
      /** The reviewer that was asked for. */
      requested?: HostActor
    }
  | {
      type: 'review'
      /** As `HostComment.reviewId`; left out by versions before. */
      id?: string
      number: number
      state: 'approved' | 'changes_requested' | 'commented'
      body: string
      url: string
    }
  /** `before` and `after` are commits; null where the branch did not exist before, or does not any more. */
  | { type: 'push'; branch: string; before: string | null; after: string | null; runId: number | null }
  | { type: 'checks_changed'; commit: string }
  /** Somebody wants our own checks of a commit run again, or has pressed a button of one. `key`: of its report; null: all. */
  | { type: 'button'; button: 'rerun' | 'fix' | 'stop'; commit: string; key: string | null }
)

/** Events of one subject are worked off in order. */
export function subjectOf(event: HostEvent): string {
  switch (event.type) {
    case 'comment':
      return `${event.on.kind}:${event.on.number}`
    case 'issue':
      return `issue:${event.number}`
    case 'pull':
    case 'review':
      return `pull:${event.number}`
    case 'push':
      return `branch:${event.branch}`
    case 'checks_changed':
    case 'button':
      return `commit:${event.commit}`
  }
}
