import { defineRoute } from '#http/pipeline/route.ts'
import { signInPath } from '#http/sign-in/add-sign-in.ts'

export const listSignInWaysRoute = defineRoute({
  method: 'GET',
  path: '/v1/sign-in-ways',
  operationId: 'listSignInWays',
  tag: 'Sessions',
  summary: 'List the ways to sign in',
  description: 'Signing in with a token is always possible, and with an OpenID Connect provider if one is configured.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'The ways to sign in.', component: 'SignInWays' },
  handle: async ({ app }) => ({
    token: true,
    oidc: app.identityProvider && { name: app.identityProvider.name, url: app.publicUrl + signInPath },
  }),
})
