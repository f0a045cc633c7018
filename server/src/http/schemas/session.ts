import { Type } from 'typebox'
import { Id, Time } from './fields.ts'

export const Session = Type.Object({ user_id: Id, expires_at: Time }, { $id: 'Session', title: 'Session' })
