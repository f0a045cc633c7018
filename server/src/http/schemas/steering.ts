import { Type } from 'typebox'
import { AnyObject, Component, Id, Nullable, PageOf, RefTo, Time, Word } from './fields.ts'

const MessageBody = Component('Message', {
  n: Id,
  prompt: Type.String(),
  created_at: Time,
  taken_seq: Nullable(
    Type.Integer({
      minimum: 1,
      description: 'Sequence number of the log entry that shows the message. Null until the agent reads it.',
    }),
  ),
})

const QuestionBody = Component('Question', {
  n: Id,
  kind: Word(['question', 'plan']),
  text: Type.String(),
  options: Type.Array(Type.String()),
  answer: Nullable(Type.String()),
  created_at: Time,
  answered_at: Nullable(Time),
})

const ArtifactBody = Component('Artifact', {
  name: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  content_type: Type.String(),
  created_at: Time,
})

const SpanBody = Component('Span', {
  kind: Word(['queue', 'setup', 'model', 'tool', 'checks', 'person']),
  from: Time,
  to: Nullable(Type.String({ format: 'date-time', description: 'Null if the span has not ended.' })),
})
const Timeline = Object.assign(Type.Array(RefTo(SpanBody), { title: 'Timeline' }), { $id: 'Timeline' as const })

const available = {
  available: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why it is not available.' })),
}
const Version = Nullable(Type.String({ description: 'Packages with their versions. Null: none that can be used.' }))
const EngineBody = Component('Engine', {
  name: Type.String(),
  title: Type.String(),
  ...available,
  package: Nullable(
    Type.Object(
      {
        newest: Type.String({ description: 'The newest version that was tried, which is what would be installed.' }),
        may_install: Type.Boolean({ description: 'Whether an ADMIN may have it installed.' }),
        machines: Type.Array(
          Type.Object({
            machine: Type.String(),
            version: Version,
            state: Word(['missing', 'installing', 'outdated', 'newest']),
            problem: Nullable(Type.String({ description: 'Why the last try to install it failed.' })),
          }),
          { description: 'What each machine of the service has.' },
        ),
      },
      { description: 'For an engine that is no part of Runwright.' },
    ),
  ),
})
const ModelBody = Component('Model', { name: Type.String(), provider: Type.String(), ...available })

const DryRun = Component('DryRun', {
  dry_run: Type.Boolean(),
  configuration: AnyObject({ description: 'The resolved configuration that the run would use.' }),
  blocked_by: Nullable(
    Type.String({
      description:
        'Why the run would be refused (`budget_reached`, `sandbox_too_weak`) or would have to wait: `capacity` (a limit is reached), `no_worker` (no worker may take it), `no_own_worker` (none of the organization may, and its runs go to no others), or `no_fit_worker` (the workers that may take it have a problem on their machine).',
    }),
  ),
  cost_range: Type.Object(
    { low_usd: Nullable(Type.Number()), high_usd: Nullable(Type.Number()) },
    { description: 'Typical cost range of similar runs. Null if no cost is known.' },
  ),
})

export const steeringComponents = [
  MessageBody,
  PageOf(MessageBody),
  QuestionBody,
  PageOf(QuestionBody),
  ArtifactBody,
  PageOf(ArtifactBody),
  SpanBody,
  Timeline,
  EngineBody,
  PageOf(EngineBody),
  ModelBody,
  PageOf(ModelBody),
  DryRun,
]
