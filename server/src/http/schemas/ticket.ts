import { Type } from 'typebox'
import { Nullable, Time } from './fields.ts'

export const StreamTicket = Type.Object(
  {
    ticket: Nullable(Type.String({ description: 'Shown this once; null when the answer is given again.' })),
    expires_at: Time,
  },
  { $id: 'StreamTicket', title: 'StreamTicket' },
)
