import { randomUUID } from 'node:crypto'
import { dropMarkers } from '#base/text/hidden-marker.ts'
import type { HostSubject } from '#base/hosts/host-event.ts'
import type { HostComment } from '#base/hosts/host-facts.ts'
import { attribute } from '#base/text/attribute.ts'
import type { Db } from '#db/pool.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getAuthor } from '#domain/accounts/users/get-author.ts'
import type { PullComment } from './pull-comment.ts'
import type { Pull } from './pull.ts'

type Place = { organizationId: number; path: string }
type NewComment = { marker: string; body: string }
export type LinePlace = { path: string; line: number; side: 'base' | 'head' }

/** What any host does for those who talk about its pull requests. */
export type CommentForge = {
  listComments(repo: Place, on: HostSubject): Promise<HostComment[]>
  saveComment(repo: Place, on: HostSubject, comment: NewComment): Promise<HostComment>
  commentOnLine?(
    repo: Place,
    number: number,
    comment: NewComment & LinePlace & { commit: string },
  ): Promise<HostComment>
}

type OnHost = { repo: Repo; pull: Pull; forge: CommentForge }

/** All that another host shows of what was said of a pull request, the oldest first. */
export async function listCommentsOfHost({ repo, pull, forge }: OnHost): Promise<PullComment[]> {
  const comments = await forge.listComments(repo, { kind: 'pull', number: pull.number })
  // A review that only has comments on lines says nothing by itself.
  return comments.map((comment) => asPullComment(pull, comment)).filter(({ body }) => body.trim() !== '')
}

export type CommentOnHost = OnHost & { userId: number; body: string; place: LinePlace | null }

/**
 * Says something on another host, under the name under which we are connected there; its first line says for whom. What
 * comes back from there is our own, to which no agent listens, so who may act on it is told here who has said it.
 */
export async function commentOnHost(db: Db, options: CommentOnHost): Promise<PullComment> {
  const { repo, pull, forge, userId, body, place } = options
  const { organizationId, repoId, number, headCommit } = pull
  const author = await getAuthor(db, { userId })
  const comment = { marker: `comment:${randomUUID()}`, body: attribute(author.login, body) }
  const on = { kind: 'pull', number } as const
  const made =
    place && forge.commentOnLine
      ? await forge.commentOnLine(repo, number, { ...comment, ...place, commit: headCommit })
      : await forge.saveComment(repo, on, comment)
  const content = { id: made.id, body, url: made.url }
  const event = {
    type: 'comment',
    on,
    comment: content,
    author,
    actor: null,
    at: made.createdAt.toISOString(),
  } as const
  await recordHostEvent(db, { organizationId, repoId, event })
  return asPullComment(pull, made)
}

function asPullComment({ organizationId, id: pullId }: Pull, { body, author, url, createdAt, line }: HostComment) {
  const { path = null, side = null } = line ?? {}
  return {
    organizationId,
    id: null,
    pullId,
    userId: null,
    author,
    url,
    body: dropMarkers(body),
    path,
    line: line?.line ?? null,
    side,
    headCommit: null,
    reviewId: null,
    replyTo: null,
    threadId: null,
    resolvedAt: null,
    resolvedBy: null,
    createdAt,
  }
}
