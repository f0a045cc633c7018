import type { HostActor, HostSubject } from '#base/hosts/host-event.ts'
import type {
  CheckConclusion,
  CheckStatus,
  HostCheck,
  HostComment,
  HostPull,
  HostPullChanges,
  HostPush,
  Mergeability,
} from '#base/hosts/host-facts.ts'
import type { RepoRef } from './code-host.ts'

export type PullRequest = {
  id: number
  number: number
  title: string
  body: string
  url: string
  headBranch: string
  baseBranch: string
  state: 'open' | 'closed'
  merged: boolean
  createdAt: Date
}
export type OpenPull = {
  repoId: number
  runId: number
  title: string
  body: string
  headBranch: string
  baseBranch: string
  headCommit: string
  /** Not to be reviewed yet; not so on a host that has no drafts. */
  draft?: boolean
  /** By which a worker holds the run; nothing is opened once it does not. */
  leaseId?: string
}

export type HostMerge = {
  method: 'merge' | 'squash' | 'rebase'
  /** The merge is refused where the head is another by then (`conflict`). */
  expectedHead: string
  title?: string
  message?: string
}

/** All checks of one commit as they stood at one moment: whoever waits for several looks again. */
export type CheckSet = { commit: string; checks: HostCheck[]; readAt: Date }
/** What we say of a run on a commit; reports of one key are one check that is brought up to date. */
export type CheckReport = {
  key: string
  name: string
  status: CheckStatus
  conclusion: CheckConclusion | null
  title: string
  summary: string
  url: string
  /** Buttons, where the host has any: `host-event.ts` has what is told of one that is pressed. */
  actions?: { id: 'fix' | 'stop'; label: string; description: string }[]
}

export type NewComment = {
  /** Hidden in the body: a second comment with it on the same subject takes the place of the first. */
  marker: string
  /** Markdown, of which the host is told no more than it takes. */
  body: string
}
/** In the thread of a comment on lines, by the id of the comment that began it. */
export type ThreadReply = NewComment & { threadId: string }
/** On a line that the pull request shows. */
export type NewLineComment = NewComment & { commit: string; path: string; line: number; side: 'base' | 'head' }
export type HostReview = {
  commit: string
  verdict: 'comment' | 'approve' | 'request_changes'
  body: string
  /** On lines that the pull request shows; others are put into the body. `suggestion`: what is to stand in place of the lines. */
  comments: {
    path: string
    startLine?: number
    line: number
    side: 'base' | 'head'
    body: string
    suggestion?: string
  }[]
  marker: string
  /** In whose name it stands on a host that knows them: a person of ours, or a run. */
  by?: { userId: number | null; runId: number | null }
}
export type HostIssue = {
  number: number
  url: string
  title: string
  body: string
  state: 'open' | 'closed'
  author: HostActor | null
  labels: string[]
}
/** What somebody may do in a repository. Whoever has `write` may start agents there. */
export type HostPermission = 'none' | 'read' | 'write' | 'admin'

/** What people and programs do around a repository. Each rejects with a `HostError`. */
export interface Forge {
  /**
   * Opens a pull request, or finds the open one of this head: then `created` is false. Rejects with a `HostError`, and
   * with a `LeaseLost` once the lease has moved on.
   */
  openPull(repo: RepoRef, pull: OpenPull): Promise<{ pull: PullRequest; created: boolean }>
  getPull(repo: RepoRef, number: number): Promise<HostPull>
  /** How it stands to its base; null where the host does not know yet, and is to be asked again. */
  getMergeability(repo: RepoRef, number: number): Promise<Mergeability | null>
  /**
   * Brings its branch up to date with its base, which it does not conflict with, soon after the answer; `conflict` where the
   * head is another by then. Left out by a host that merges what is behind.
   */
  updateBranch?(
    repo: RepoRef,
    number: number,
    update: { method: 'merge' | 'rebase'; expectedHead: string },
  ): Promise<void>
  updatePull(repo: RepoRef, number: number, changes: HostPullChanges): Promise<HostPull>
  /** Answers the commit that the base is at by it; null where the host queues it, and merges it when its turn comes. */
  mergePull(repo: RepoRef, number: number, merge: HostMerge): Promise<{ commit: string | null }>
  /** Opens a pull request that undoes a merged one, or finds the open one that does. `conflict` where it cannot be undone. */
  revertPull(repo: RepoRef, number: number, words: { title: string; body: string }): Promise<HostPull>
  /** Puts these labels on a pull request, besides those that it has. Left out where pull requests have none. */
  addLabels?(repo: RepoRef, number: number, labels: readonly string[]): Promise<void>
  getIssue(repo: RepoRef, number: number): Promise<HostIssue>
  /**
   * Who has last set this label of an issue, or assigned this account to it, and when; null where that was taken back, or never
   * was. `actor` null: the host does not say. Left out by a host that tells each in the moment that it is done.
   */
  findAssignment?(
    repo: RepoRef,
    number: number,
    to: { label: string } | { assigneeId: string },
  ): Promise<{ actor: HostActor | null; at: string } | null>
  /** Oldest first: what is said of the whole, on lines, and in reviews. */
  listComments(repo: RepoRef, on: HostSubject): Promise<HostComment[]>
  saveComment(repo: RepoRef, on: HostSubject, comment: NewComment): Promise<HostComment>
  /** Each time another one; `invalid` where the pull request does not show the line. Left out where lines take no comments. */
  commentOnLine?(repo: RepoRef, number: number, comment: NewLineComment): Promise<HostComment>
  /** Left out where comments on lines have no threads, as is `resolveThreads`. */
  replyInThread?(repo: RepoRef, number: number, reply: ThreadReply): Promise<HostComment>
  /** Marks threads as settled; those that are gone, or settled already, stay as they are. */
  resolveThreads?(repo: RepoRef, number: number, threadIds: readonly string[]): Promise<void>
  /** Shows whoever wrote a comment that it is being seen to; does nothing where the host has no way. */
  acknowledge(repo: RepoRef, on: HostSubject, commentId: string): Promise<void>
  /** Whether the last word of somebody who has reviewed it is that it has to change. */
  areChangesRequested(repo: RepoRef, number: number): Promise<boolean>
  /** Once for each marker. */
  createReview(repo: RepoRef, number: number, review: HostReview): Promise<{ url: string }>
  listChecks(repo: RepoRef, commit: string): Promise<CheckSet>
  /** The end of what it printed; null where the host does not keep it. */
  readCheckLog(repo: RepoRef, check: HostCheck, options: { bytesMax: number }): Promise<string | null>
  /** False where the host cannot do that. */
  rerunCheck(repo: RepoRef, check: HostCheck): Promise<boolean>
  reportCheck(repo: RepoRef, commit: string, report: CheckReport): Promise<void>
  /** What has lately moved a branch, the newest first, as far as the host keeps that. */
  listPushes(repo: RepoRef, branch: string): Promise<HostPush[]>
  /** Asked of the host, each time. */
  permissionOf(repo: RepoRef, actor: HostActor): Promise<HostPermission>
}
