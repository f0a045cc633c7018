import { Type } from 'typebox'
import { Word } from './fields.ts'

export const Health = Type.Object({ status: Word(['ok']) }, { $id: 'Health', title: 'Health' })
