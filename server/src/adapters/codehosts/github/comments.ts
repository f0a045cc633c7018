import type { CommentedLines } from '#base/hosts/host-facts.ts'
import { hasMarker, hideMarker } from '#base/text/hidden-marker.ts'
import type { HostComment, RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { GitHubClient, Need, Reached } from './client.ts'
import { cutText, markerCharactersMax } from './cut-text.ts'
import { readActor, type User } from './read-actor.ts'
import { readPages } from './read-pages.ts'
import { readReviews } from './read-reviews.ts'

const reading: Need = { issues: 'read', pull_requests: 'read' }
const writing: Need = { issues: 'write', pull_requests: 'write' }

type Comments = Pick<Forge, 'getIssue' | 'listComments' | 'saveComment' | 'commentOnLine' | 'acknowledge'>

/** Ids say of which of GitHub's three kinds a comment is, since each kind is counted by itself. */
export function openComments(client: GitHubClient): Comments {
  return {
    getIssue: async (ref, number) => {
      const { ask, owner, repo } = await client.reach(ref, reading)
      const { data } = await ask('GET /repos/{owner}/{repo}/issues/{issue_number}', {
        owner,
        repo,
        issue_number: number,
      })
      return {
        number,
        url: data.html_url,
        title: data.title,
        body: data.body ?? '',
        state: data.state === 'open' ? 'open' : 'closed',
        author: readActor(data.user),
        labels: data.labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))),
      }
    },
    listComments: async (ref, { kind, number }) => {
      const at = await client.reach(ref, reading)
      const plain = (await listPlain(at, number)).map(readPlain)
      if (kind === 'issue') return plain
      const all = [...plain, ...(await listOnLines(at, number)), ...(await listReviews(at, number))]
      return all.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    },
    saveComment: async (ref, { number }, { marker, body }) => {
      const at = await client.reach(ref, writing)
      const { ask, owner, repo } = at
      const text = hideMarker(cutText(body, markerCharactersMax), marker)
      const known = (await listPlain(at, number)).find((comment) => isOurs(at, comment, marker))
      if (known?.body === text) return readPlain(known)
      const { data } = known
        ? await ask('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
            owner,
            repo,
            comment_id: Number(known.id),
            body: text,
          })
        : await ask('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            owner,
            repo,
            issue_number: number,
            body: text,
          })
      return readPlain(data)
    },
    commentOnLine: async (ref, number, { marker, body, commit, path, line, side }) => {
      const { ask, owner, repo } = await client.reach(ref, writing)
      const { data } = await ask('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
        owner,
        repo,
        pull_number: number,
        commit_id: commit,
        path,
        line,
        side: side === 'base' ? 'LEFT' : 'RIGHT',
        body: hideMarker(cutText(body, markerCharactersMax), marker),
      })
      return readOnLine(data)
    },
    acknowledge: (ref, _on, commentId) => acknowledge(client, ref, commentId),
  }
}

async function acknowledge(client: GitHubClient, ref: RepoRef, commentId: string): Promise<void> {
  const [kind, id] = commentId.split(':')
  const { ask, owner, repo } = await client.reach(ref, writing)
  const reaction = { owner, repo, comment_id: Number(id), content: 'eyes' } as const
  if (kind === 'issue_comment') await ask('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', reaction)
  if (kind === 'review_comment') await ask('POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions', reaction)
}

type Plain = { id: number | bigint; html_url: string; body?: string | undefined; user: User; created_at: string }

/** Anybody may write a marker: only what we have written is ours. */
export function isOurs(
  { connection: { bot } }: Reached,
  { user, body }: { user: User; body?: string | null | undefined },
  marker: string,
): boolean {
  return bot !== null && String(user?.id) === bot.id && hasMarker(body ?? '', marker)
}

async function listPlain({ ask, owner, repo }: Reached, number: number) {
  const { items } = await readPages((page) =>
    ask('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', { owner, repo, issue_number: number, ...page }),
  )
  return items
}

function readPlain({ id, html_url: url, body, user, created_at: at }: Plain): HostComment {
  return {
    id: `issue_comment:${id}`,
    url,
    body: body ?? '',
    author: readActor(user),
    createdAt: new Date(at),
    line: null,
  }
}

async function listOnLines(at: Reached, number: number): Promise<HostComment[]> {
  return (await listLineComments(at, number)).map(readOnLine)
}

export async function listLineComments({ ask, owner, repo }: Reached, number: number) {
  const { items } = await readPages((page) =>
    ask('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', { owner, repo, pull_number: number, ...page }),
  )
  return items
}

export type OnLine = Plain & {
  body: string
  path: string
  line?: number | null | undefined
  original_line?: number | null | undefined
  side?: string | undefined
  start_line?: number | null | undefined
  original_start_line?: number | null | undefined
  original_commit_id: string
  pull_request_review_id: number | bigint | null
  in_reply_to_id?: number | bigint | undefined
  diff_hunk: string
}

/** Of the ids of comments on lines. */
export const linePrefix = 'review_comment:'

export function readOnLine(comment: OnLine): HostComment {
  const { id, in_reply_to_id: first = id, pull_request_review_id: review } = comment
  return {
    ...readPlain(comment),
    id: linePrefix + id,
    ...(review !== null && { reviewId: `review:${review}` }),
    threadId: linePrefix + first,
    line: linesOf(comment),
  }
}

/** Lines that the pull request does not show any more are told as they were. */
function linesOf(comment: OnLine): CommentedLines | null {
  const { path, original_commit_id: commit, diff_hunk: hunk } = comment
  const isCurrent = Boolean(comment.line)
  const line = isCurrent ? comment.line : comment.original_line
  if (!line) return null
  const startLine = isCurrent ? comment.start_line : comment.original_start_line
  const side = comment.side === 'LEFT' ? 'base' : 'head'
  return { path, line, side, commit, hunk, ...(startLine && startLine < line && { startLine }) }
}

/** Those that say something besides their comments on lines. */
async function listReviews(at: Reached, number: number): Promise<HostComment[]> {
  const reviews = await readReviews(at, number)
  return reviews.flatMap(({ id: reviewId, html_url: url, body, user, submitted_at: submittedAt }) => {
    const id = `review:${reviewId}`
    const createdAt = new Date(submittedAt ?? 0)
    return body && submittedAt ? [{ id, reviewId: id, url, body, author: readActor(user), createdAt, line: null }] : []
  })
}
