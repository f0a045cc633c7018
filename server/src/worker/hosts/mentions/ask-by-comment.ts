import type { HostComment } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import type { OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
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
  comment: HostComment
}

/** Hands over what a comment asks for, once, and shows at it that it was seen. Answers what became of it. */
export async function askByComment(app: App, options: AskByComment): Promise<string> {
  const { repo, subject, own, isOurs, asker, userId, comment } = options
  const { organizationId, id: repoId } = repo
  const { on } = subject
  const ref = { organizationId, path: repo.path }
  const trusted = await trustedAuthors(app, { repo: ref, subject, own })
  const isShown = isOurs || isAmong(trusted, subject.author)
  const [asked = comment] = await addHunks(app, { repo: ref, subject, comments: [comment] })
  const outcome = await dispatch(app, {
    request: { organizationId, repoId, on, key: `comment:${comment.id}` },
    repo,
    subject,
    own,
    asker,
    ...(userId !== undefined && { userId }),
    title: titleOf(subject, { isShown }),
    prompt: writeMention({ repository: repo.name, subject, asker, comment: asked, trusted, isShown }),
    comment: { body: stripHiddenMarkdown(comment.body), url: comment.url },
  })
  await app.hosts
    .forge(ref)
    .acknowledge(ref, on, comment.id)
    .catch((error: unknown) => app.logger.debug({ err: error }, 'a comment was not acknowledged'))
  return outcome
}
