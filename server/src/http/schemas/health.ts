import { Type } from 'typebox'
import { Component, Word } from './fields.ts'

export const Health = Component('Health', { status: Word(['ok']) })

export const ServiceStatus = Component('ServiceStatus', {
  status: Word(['ok']),
  warnings: Type.Array(Type.String(), { description: 'Warnings for the operator, one sentence each.' }),
})
