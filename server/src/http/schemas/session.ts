import { Type } from 'typebox'
import { Id, Nullable, Time } from './fields.ts'

export const Session = Type.Object({ user_id: Id, expires_at: Time }, { $id: 'Session', title: 'Session' })

export const SignInWays = Type.Object(
  {
    token: Type.Boolean(),
    oidc: Nullable(
      Type.Object({
        name: Type.String({ description: 'What people know the provider by.' }),
        url: Type.String({ description: 'Where a browser begins; `?next=` names the page that it is to come to.' }),
      }),
    ),
  },
  { $id: 'SignInWays', title: 'SignInWays' },
)
