import type { HostActor } from '#base/hosts/host-event.ts'

/** Ids too large for a number come as `bigint`. */
export type User = { id: number | bigint; login: string; type?: string | undefined } | null | undefined

/** Null where the account is gone. */
export function readActor(user: User): HostActor | null {
  if (!user) return null
  return { hostUserId: String(user.id), login: user.login, isBot: user.type === 'Bot' }
}
