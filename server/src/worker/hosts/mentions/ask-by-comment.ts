import type { HostComment } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import type { OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { listAskedComments } from '#domain/hosts/mentions/list-asked-comments.ts'
import { commentKey } from '#domain/hosts/mention.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { addHunks } from './add-hunks.ts'
import { dispatch } from './dispatch.ts'
import { titleOf, type Subject } from './read-subject.ts'
import { isAmong, trustedAuthors } from './trusted-authors.ts'
import { writeMention } from './write-mention.ts'

export type AskByComment = {
  repo: Repo
  subject: Subject
  own: OwnAccount
  /** The agent has opened the pull request itself. */
  isOurs: boolean
  /** Who asks, and is trusted; of ours where they have asked through us. */
  asker: HostActor
  userId?: number
  /** What they say: a comment, with the others of its review, or those of a review of which we were told itself. */
  comment: HostComment | null
  others?: readonly HostComment[]
  /** The id of that review. */
  reviewId?: string
}

/**
 * Hands over what comments ask for, each once, and those of a review together; and shows at the first that it was seen. Answers what
 * became of it.
 */
export async function askByComment(app: App, options: AskByComment): Promise<string> {
  const { repo, subject, own, isOurs, asker, userId, comment, others = [], reviewId = '' } = options
  const { organizationId, id: repoId } = repo
  const { on } = subject
  const known = await listAskedComments(app.pool, { organizationId, repoId, on, ids: others.map(({ id }) => id) })
  const parts = others.filter(({ id }) => !known.has(id))
  const comments = [...(comment ? [comment] : []), ...parts].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  )
  const [first] = comments
  if (!first) return doneBefore
  const ref = { organizationId, path: repo.path }
  const trusted = await trustedAuthors(app, { repo: ref, subject, own })
  const isShown = isOurs || isAmong(trusted, subject.author)
  const asked = await addHunks(app, { repo: ref, subject, comments })
  const outcome = await dispatch(app, {
    request: { organizationId, repoId, on, key: comment ? commentKey(comment.id) : reviewId },
    parts,
    repo,
    subject,
    own,
    asker,
    ...(userId !== undefined && { userId }),
    title: titleOf(subject, { isShown }),
    prompt: writeMention({ repository: repo.name, subject, asker, asked, trusted, isShown }),
    asked,
    comment: { body: wordsOf(comments), url: (comment ?? first).url },
  })
  await app.hosts
    .forge(ref)
    .acknowledge(ref, on, (comment ?? first).id)
    .catch((error: unknown) => app.logger.debug({ err: error }, 'a comment was not acknowledged'))
  return outcome
}

export const doneBefore = 'it was done before'

/** As the log shows it. */
function wordsOf(comments: readonly HostComment[]): string {
  if (comments.length === 1) return stripHiddenMarkdown(comments[0]?.body ?? '')
  return comments
    .map(({ body, line }) => `${line ? `\`${line.path}:${line.line}\`: ` : ''}${stripHiddenMarkdown(body).trim()}`)
    .join('\n\n')
}
