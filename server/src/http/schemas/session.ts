import { Type } from 'typebox'
import { Id, Nullable, Time } from './fields.ts'

export const Session = Type.Object({ user_id: Id, expires_at: Time }, { $id: 'Session', title: 'Session' })

export const SignInWays = Type.Object(
  {
    token: Type.Boolean(),
    oidc: Nullable(
      Type.Object({
        name: Type.String({ description: 'Display name of the provider.' }),
        url: Type.String({
          description: 'URL where the browser starts the sign-in. `?next=` is the page to return to.',
        }),
      }),
    ),
  },
  { $id: 'SignInWays', title: 'SignInWays' },
)
