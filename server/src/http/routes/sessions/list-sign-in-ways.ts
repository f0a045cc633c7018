import { defineRoute } from '#http/route.ts'
import { signInPath } from '#http/sign-in/add-sign-in.ts'

export const listSignInWaysRoute = defineRoute({
  method: 'GET',
  path: '/v1/sign-in-ways',
  operationId: 'listSignInWays',
  tag: 'Sessions',
  summary: 'How people sign in here',
  description: 'With a token in any case; by a provider of OpenID Connect where one is configured.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'The ways.', component: 'SignInWays' },
  handle: async ({ app }) => ({
    token: true,
    oidc: app.identityProvider && { name: app.identityProvider.name, url: app.publicUrl + signInPath },
  }),
})
