import { Type } from 'typebox'
import { Component, Id, Nullable, PageOf, Time } from './fields.ts'

const AuditEntryBody = Component(
  'AuditEntry',
  {
    id: Id,
    at: Time,
    action: Type.String({ description: 'The `operationId` of the request, such as `updateMember`.' }),
    user_id: Type.Integer({ ...Id, description: 'Who sent it.' }),
    credential_id: Type.Integer({
      ...Id,
      description: 'The token that it was sent with, or that its session was opened with.',
    }),
    address: Type.String({ description: 'The IP address that it came from.' }),
    request_id: Type.String({ description: 'As in `x-request-id` and in log lines.' }),
    named: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the path names, such as `{"user_id": 7}`.',
    }),
    changed: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The fields of the body. Numbers, booleans and words of a closed set are shown; `…` stands for everything else that was given.',
    }),
    status: Nullable(
      Type.Integer({
        description: 'The HTTP status of the answer. Null: not answered yet, or the process was killed.',
      }),
    ),
  },
  { description: 'A request to change something in the organization.' },
)

export const auditComponents = [AuditEntryBody, PageOf(AuditEntryBody)]
