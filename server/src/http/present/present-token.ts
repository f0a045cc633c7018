import type { Token } from '#domain/accounts/tokens/token.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentToken(token: Token): Components['Token'] {
  return {
    id: token.id,
    name: token.name,
    user_id: token.userId,
    prefix: token.prefix,
    last4: token.last4,
    scopes: token.scopes,
    created_at: token.createdAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    expires_at: token.expiresAt?.toISOString() ?? null,
  }
}
