import { Type } from 'typebox'
import { errorCodes, type ErrorCode } from '#base/errors.ts'
import { Component, RefTo, Word } from './fields.ts'

const FaultBody = Component('Fault', {
  loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
    description: 'Where the problem is, such as `["body", "prompt"]`.',
  }),
  msg: Type.String(),
  type: Type.String({ description: 'The kind of problem, such as `required`.' }),
})

const code = Word(Object.keys(errorCodes) as ErrorCode[])
const faults = Type.Optional(
  Type.Array(RefTo(FaultBody), { description: 'For invalid input: what is wrong, and where.' }),
)

export const ErrorBody = Component('ErrorBody', {
  message: Type.String(),
  status_code: Type.Integer(),
  code,
  request_id: Type.String(),
  detail: faults,
})

/** The same as RFC 9457, for those who ask for it. */
export const Problem = Component('Problem', {
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code,
  request_id: Type.String(),
  errors: faults,
})

export const errorComponents = [FaultBody, ErrorBody, Problem]
