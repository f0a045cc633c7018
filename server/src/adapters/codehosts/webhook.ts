import type { HostEvent } from '#base/hosts/host-event.ts'

/** What a host has sent us of its own accord. Header names are lower case. */
export type Webhook = { headers: Readonly<Record<string, string | string[] | undefined>>; body: Buffer }

/** What is known of one without reading its body: the host's own name of it, the same when it is sent again, and what it is about. */
export type WebhookHead = { delivery: string | null; event: string }

/** What one tells of. `key`: by which the same, told in another way, is the same; null where nothing else tells it. */
export type WebhookNews =
  | { about: 'repository'; hostRepoId: string; event: HostEvent; key: string | null }
  /** Repositories came, went, or have other names: they are to be listed anew. */
  | { about: 'repositories' }

/** How one kind of host tells us what happens there. Pure: neither asks the host anything. */
export type WebhookReader = {
  /** Over the bytes as they came, in constant time, with each of the secrets. Null: nobody who knows one has sent it. */
  verify(webhook: Webhook, secrets: readonly string[]): WebhookHead | null
  /** The content of a verified one, as `read` takes it, whatever it is wrapped in. Null: it is not as its host sends any. */
  unwrap(webhook: Webhook): Buffer | null
  /** Empty for what does not matter to us. Throws for what is none of its host's. */
  read(event: string, body: Buffer): WebhookNews[]
}
