import { Type } from 'typebox'
import { Id, Ordinal } from '#http/schemas/fields.ts'

export const MessageParams = Type.Object({ org_id: Id, agent_run_id: Id, n: Ordinal })
