import { Type } from 'typebox'
import { Nullable, Time } from './fields.ts'

export const StreamTicket = Type.Object(
  {
    ticket: Nullable(
      Type.String({ description: 'The ticket. It is shown only once, and is null when the response is replayed.' }),
    ),
    expires_at: Time,
  },
  { $id: 'StreamTicket', title: 'StreamTicket' },
)
