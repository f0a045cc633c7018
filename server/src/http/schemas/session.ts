import { Type } from 'typebox'
import { Component, Id, Nullable, Time } from './fields.ts'

export const Session = Component('Session', { user_id: Id, expires_at: Time })

export const SignInWays = Component('SignInWays', {
  token: Type.Boolean(),
  oidc: Nullable(
    Type.Object({
      name: Type.String({ description: 'Display name of the provider.' }),
      url: Type.String({
        description: 'URL where the browser starts the sign-in. `?next=` is the page to return to.',
      }),
    }),
  ),
})
