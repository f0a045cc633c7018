import type { Json } from '#base/json.ts'
import type { OwnProvider } from '#base/models/own-provider.ts'

/** A key that a member has of their own for a model provider, as they see it: never the key. */
export type MemberKey = { modelProviderId: number; last4: string; updatedAt: Date }

export type MemberKeyIds = { organizationId: number; modelProviderId: number; userId: number }

/** What such a key is sealed for: it can be read for its owner alone, and for a provider that is where its owner meant it to go. */
export function memberKeyPlace(
  { organizationId, userId }: Pick<MemberKeyIds, 'organizationId' | 'userId'>,
  { name, kind, baseUrl }: Pick<OwnProvider, 'name' | 'kind' | 'baseUrl'>,
): Json {
  return ['key of a member', organizationId, userId, name, kind, baseUrl]
}
