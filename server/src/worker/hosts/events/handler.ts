import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import type { Repo } from '#domain/repos/repo.ts'

export type HandleHostEvent<E extends HostEvent = HostEvent> = {
  organizationId: number
  repo: Repo
  event: E
  /** Aborted when the claim is about to expire, or the worker ends; the event is then tried again. */
  signal: AbortSignal
}

/**
 * Acts on what has happened on a code host, once; the event is a hint, and the host is asked how it stands. Called again
 * for the same event after a crash, and where another handler of it has failed. Answers what became of it; null where it
 * was none of its business.
 */
export type Handler<E extends HostEvent = HostEvent> = (app: App, options: HandleHostEvent<E>) => Promise<string | null>
