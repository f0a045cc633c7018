import { revokeSession } from '#domain/accounts/sessions/revoke-session.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { checkOrigin, readSessionCookie, setSessionCookie } from '#http/pipeline/session-cookie.ts'

export const revokeSessionRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/session',
  operationId: 'revokeSession',
  tag: 'Sessions',
  summary: 'Sign out a browser',
  policy: null,
  access: 'public',
  success: { status: 204, description: 'The browser is signed out.' },
  errors: ['forbidden'],
  handle: async ({ app, db, request, reply }) => {
    checkOrigin(request)
    const secret = readSessionCookie(request, app)
    if (secret !== undefined) await revokeSession(db, app.tokenKeys, secret)
    setSessionCookie(reply, { secret: '', expiresAt: new Date(0), publicUrl: app.publicUrl })
  },
})
