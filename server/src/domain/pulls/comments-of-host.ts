import { randomUUID } from 'node:crypto'
import { dropMarkers } from '#base/hidden-marker.ts'
import type { HostSubject } from '#base/host-event.ts'
import type { HostComment } from '#base/host-facts.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { PullComment } from './pull-comment.ts'
import type { Pull } from './pull.ts'

type Place = { organizationId: number; path: string }
type NewComment = { marker: string; body: string }
export type LinePlace = { path: string; line: number; side: 'base' | 'head' }

/** What any host does for those who talk about its pull requests. */
export type HostCommentStore = {
  listComments(repo: Place, on: HostSubject): Promise<HostComment[]>
  saveComment(repo: Place, on: HostSubject, comment: NewComment): Promise<HostComment>
  commentOnLine(repo: Place, number: number, comment: NewComment & LinePlace & { commit: string }): Promise<HostComment>
}

type OnHost = { repo: Repo; pull: Pull; store: HostCommentStore }

/** All that another host shows of what was said of a pull request, the oldest first. */
export async function listCommentsOfHost({ repo, pull, store }: OnHost): Promise<PullComment[]> {
  const comments = await store.listComments(repo, { kind: 'pull', number: pull.number })
  // A review that only has comments on lines says nothing by itself.
  return comments.map((comment) => asPullComment(pull, comment)).filter(({ body }) => body.trim() !== '')
}

/** Says something on another host, under the name under which we are connected there. */
export async function commentOnHost(given: OnHost & { body: string; place: LinePlace | null }): Promise<PullComment> {
  const { repo, pull, store, body, place } = given
  const { number, headCommit } = pull
  const comment = { marker: `comment:${randomUUID()}`, body }
  const said = place
    ? await store.commentOnLine(repo, number, { ...comment, ...place, commit: headCommit })
    : await store.saveComment(repo, { kind: 'pull', number }, comment)
  return asPullComment(pull, said)
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
    createdAt,
  }
}
