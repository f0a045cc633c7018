import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { labelPattern } from '#base/labels.ts'
import { Component, Id, Nullable, PageOf, Text, Time } from './fields.ts'

const LabelNames = Type.Array(Type.String({ pattern: labelPattern.source }), {
  maxItems: limits.labelsMax,
  description: 'Labels that workers with this token may have. Null: any.',
})

export const WorkerTokenParams = Type.Object({ org_id: Id, worker_token_id: Id })

export const NewWorkerTokenRequest = Type.Object({
  name: Text(200, { description: 'The machine or the group of machines that it is for.' }),
  labels: Type.Optional(Nullable(LabelNames)),
  expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time', description: 'Defaults to never.' }))),
})

const ConnectedWorker = Type.Object({
  name: Type.String({ description: 'The host name and process of the machine.' }),
  version: Type.String(),
  labels: Type.Array(Type.String()),
  slots: Type.Integer({ description: 'How many runs it takes at once.' }),
  runs: Type.Integer({ description: 'How many it has now.' }),
  is_fit: Type.Boolean({ description: 'False while its machine has a problem for which it takes no runs.' }),
  connected_at: Time,
})

const WorkerTokenBody = Component(
  'WorkerToken',
  {
    id: Id,
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters of the secret.' }),
    last4: Type.String({ description: 'The last four characters of the secret.' }),
    labels: Nullable(LabelNames),
    workers: Type.Array(ConnectedWorker, { description: 'The workers that are connected with it.' }),
    created_by: Nullable(
      Type.Integer({ ...Id, description: 'The user who created it. Null: an operator of the service.' }),
    ),
    created_at: Time,
    expires_at: Nullable(Time),
    last_used_at: Nullable(Type.String({ format: 'date-time', description: 'Exact to the minute.' })),
  },
  { description: 'Lets remote workers in, which take runs of this organization and no others.' },
)

const NewWorkerTokenBody = Component('NewWorkerToken', {
  ...WorkerTokenBody.properties,
  token: Nullable(
    Type.String({
      description: 'The secret. It is shown only in this response, and is null when the response is replayed.',
    }),
  ),
})

export const workerTokenComponents = [WorkerTokenBody, PageOf(WorkerTokenBody), NewWorkerTokenBody]
