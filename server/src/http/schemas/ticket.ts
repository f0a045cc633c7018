import { Type } from 'typebox'
import { Component, Nullable, Time } from './fields.ts'

export const StreamTicket = Component('StreamTicket', {
  ticket: Nullable(
    Type.String({ description: 'The ticket. It is shown only once, and is null when the response is replayed.' }),
  ),
  expires_at: Time,
})
