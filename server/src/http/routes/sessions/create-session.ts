import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { createSession } from '#domain/accounts/sessions/create-session.ts'
import { findPrincipal } from '#domain/accounts/tokens/find-principal.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { Text } from '#http/schemas/fields.ts'
import { checkOrigin, setSessionCookie } from '#http/pipeline/session-cookie.ts'

export const createSessionRoute = defineRoute({
  method: 'POST',
  path: '/v1/session',
  operationId: 'createSession',
  tag: 'Sessions',
  summary: 'Sign in a browser',
  description:
    "For the service's own web UI. The response sets a cookie that represents the token until the token is revoked or expires, its secret is rotated, or the user signs out.",
  policy: null,
  access: 'public',
  body: Type.Object({ token: Text(1_000) }),
  success: { status: 201, description: 'The session; its secret is in the cookie.', component: 'Session' },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  isPlain: true,
  handle: async ({ app, db, deps, body, request, reply }) => {
    checkOrigin(request)
    const say = (seconds: number) => void reply.header('retry-after', seconds)
    const owner = await deps.wrongTokens.watch(
      { address: request.ip, shown: `Bearer ${body.token}`, say },
      async () => {
        const found = await findPrincipal(db, app.tokenKeys, body.token)
        if (found) return found
        throw new AppError('unauthorized', { message: 'This token is unknown, expired or revoked.' })
      },
    )
    const { secret, expiresAt } = await createSession(db, app.tokenKeys, owner)
    setSessionCookie(reply, { secret, expiresAt, publicUrl: app.publicUrl })
    reply.header('cache-control', 'no-store')
    return { user_id: owner.userId, expires_at: expiresAt.toISOString() }
  },
})
