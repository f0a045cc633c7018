import { fenceText } from '#base/text/fence-text.ts'
import { hideMarker } from '#base/text/hidden-marker.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { HostReview, Forge } from '#adapters/codehosts/forge.ts'
import type { GitHubClient, Reached } from './client.ts'
import { isOurs } from './comments.ts'
import { cutText, markerCharactersMax } from './cut-text.ts'
import { readReviews } from './read-reviews.ts'

const events = { comment: 'COMMENT', approve: 'APPROVE', request_changes: 'REQUEST_CHANGES' } as const

export function openReviews(client: GitHubClient): Pick<Forge, 'createReview' | 'areChangesRequested'> {
  return {
    areChangesRequested: async (ref, number) => {
      const reviews = await readReviews(await client.reach(ref, { pull_requests: 'read' }), number)
      const last = new Map(
        reviews.filter(({ state }) => verdicts.has(state)).map(({ user, state }) => [user?.id, state]),
      )
      return [...last.values()].includes('CHANGES_REQUESTED')
    },
    createReview: async (ref, number, review) => {
      const at = await client.reach(ref, { pull_requests: 'write' })
      const known = await findReview(at, number, review.marker)
      if (known) return { url: known.html_url }
      try {
        return await post(at, number, review)
      } catch (error) {
        const isAboutLines = error instanceof HostError && error.code === 'invalid' && review.comments.length > 0
        if (!isAboutLines || !/line|diff|path|position/i.test(error.message)) throw error
        return post(at, number, { ...review, body: withComments(review), comments: [] })
      }
    },
  }
}

/** What is only a comment takes nothing back. */
const verdicts = new Set(['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'])

async function findReview(at: Reached, number: number, marker: string) {
  return (await readReviews(at, number)).find((review) => isOurs(at, review, marker))
}

async function post({ ask, owner, repo }: Reached, number: number, review: HostReview): Promise<{ url: string }> {
  const { data } = await ask('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
    owner,
    repo,
    pull_number: number,
    commit_id: review.commit,
    event: events[review.verdict],
    body: hideMarker(cutText(review.body, markerCharactersMax), review.marker),
    comments: review.comments.map(({ path, startLine, line, side: of, body, suggestion }) => {
      const side = of === 'base' ? 'LEFT' : 'RIGHT'
      const block = suggestion === undefined ? '' : `\n\n${fenceText(suggestion, 'suggestion')}`
      return {
        path,
        ...(startLine !== undefined && { start_line: startLine, start_side: side }),
        line,
        side,
        body: cutText(body, block.length) + block,
      }
    }),
  })
  return { url: data.html_url }
}

/** One of the lines is none that GitHub shows, and it does not say which: all are told in the body. */
function withComments({ body, comments }: HostReview): string {
  const parts = comments.map(({ path, line, body: words, suggestion }) => {
    const block = suggestion === undefined ? '' : `\n\n${fenceText(suggestion)}`
    return `**${path}:${line}** ${words}${block}`
  })
  return [body, ...parts].join('\n\n')
}
