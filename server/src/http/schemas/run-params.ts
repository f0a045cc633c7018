import { Type } from 'typebox'
import { Id } from './fields.ts'

export const RunParams = Type.Object({ org_id: Id, agent_run_id: Id })
