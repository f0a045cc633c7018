import { Type } from 'typebox'
import { Word } from './fields.ts'

export const Health = Type.Object({ status: Word(['ok']) }, { $id: 'Health', title: 'Health' })

export const Readiness = Type.Object(
  {
    status: Word(['ok']),
    warnings: Type.Array(Type.String(), { description: 'Warnings for the operator, one sentence each.' }),
  },
  { $id: 'Readiness', title: 'Readiness' },
)
