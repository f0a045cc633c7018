import type { HostComment, HostPull, RepoRef } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import type { HostActor, HostSubject } from '#base/hosts/host-event.ts'

/** An issue or a pull request as it stands on its host now, with all that was said of it. */
export type Subject = {
  on: HostSubject
  url: string
  title: string
  body: string
  author: HostActor | null
  state: 'open' | 'closed'
  comments: HostComment[]
  /** Null for an issue. */
  pull: HostPull | null
}

export async function readSubject({ hosts }: Pick<App, 'hosts'>, repo: RepoRef, on: HostSubject): Promise<Subject> {
  const forge = hosts.forge(repo)
  const pull = on.kind === 'pull' ? await forge.getPull(repo, on.number) : null
  const { url, title, body, author, state } = pull ?? (await forge.getIssue(repo, on.number))
  return { on, url, title, body, author, state, comments: await forge.listComments(repo, on), pull }
}

/** What a run is called that works on it; of words that nobody who may write there has said, it has none. */
export function titleOf({ on, title }: Subject, { isShown }: { isShown: boolean }): string {
  const name = nameOf(on)
  const words = isShown ? stripHiddenMarkdown(title).trim() : ''
  return words ? `${words} (#${on.number})` : `${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** As people say it: `issue #7`. */
export function nameOf({ kind, number }: HostSubject): string {
  return `${kind === 'pull' ? 'pull request' : 'issue'} #${number}`
}
