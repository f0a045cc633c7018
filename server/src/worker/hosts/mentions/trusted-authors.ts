import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { isOwn, type OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { isTrusted } from '#worker/hosts/events/is-trusted.ts'
import type { Subject } from './read-subject.ts'

/** Ids of those whose words at an issue or a pull request an agent may read: who may write there, and we ourselves. */
export async function trustedAuthors(
  app: Pick<App, 'hosts' | 'clock'>,
  { repo, subject, own }: { repo: RepoRef; subject: Subject; own: OwnAccount },
): Promise<Set<string>> {
  const authors = new Map<string, HostActor>()
  for (const { author } of [subject, ...subject.comments.toReversed()])
    if (author && authors.size < authorsMax) authors.set(author.hostUserId, author)
  const trusted = new Set<string>()
  for (const [id, author] of authors)
    if (isOwn(own, author) || (!author.isBot && (await isTrusted(app, repo, author)))) trusted.add(id)
  return trusted
}

/** Who has spoken last counts first: the host is asked for no more of them. */
const authorsMax = 50

export function isAmong(trusted: ReadonlySet<string>, author: HostActor | null): boolean {
  return author !== null && trusted.has(author.hostUserId)
}
