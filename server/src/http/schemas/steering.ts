import { Type, type Static } from 'typebox'
import { AnyObject, Component, Id, Nullable, PageOf, Time, Word } from './fields.ts'

const MessageBody = Type.Object(
  {
    n: Id,
    prompt: Type.String(),
    created_at: Time,
    taken_seq: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Sequence number of the log entry that shows the message. Null until the agent reads it.',
      }),
    ),
  },
  { $id: 'Message', title: 'Message' },
)

const QuestionBody = Type.Object(
  {
    n: Id,
    kind: Word(['question', 'plan']),
    text: Type.String(),
    options: Type.Array(Type.String()),
    answer: Nullable(Type.String()),
    created_at: Time,
    answered_at: Nullable(Time),
  },
  { $id: 'Question', title: 'Question' },
)

const ArtifactBody = Type.Object(
  { name: Type.String(), bytes: Type.Integer({ minimum: 0 }), content_type: Type.String(), created_at: Time },
  { $id: 'Artifact', title: 'Artifact' },
)

const SpanBody = Type.Object(
  {
    kind: Word(['queue', 'setup', 'model', 'tool', 'checks', 'person']),
    from: Time,
    to: Nullable(Type.String({ format: 'date-time', description: 'Null if the span has not ended.' })),
  },
  { $id: 'Span', title: 'Span' },
)
const Timeline = Type.Array(Component<Static<typeof SpanBody>>('Span'), { $id: 'Timeline', title: 'Timeline' })

const available = {
  available: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why it is not available.' })),
}
const EngineBody = Type.Object({ name: Type.String(), ...available }, { $id: 'Engine', title: 'Engine' })
const ModelBody = Type.Object(
  { name: Type.String(), provider: Type.String(), ...available },
  { $id: 'Model', title: 'Model' },
)

const DryRun = Type.Object(
  {
    dry_run: Type.Boolean(),
    configuration: AnyObject({ description: 'The resolved configuration that the run would use.' }),
    blocked_by: Nullable(
      Type.String({
        description:
          'Why the run would be refused (`budget_reached`, `sandbox_too_weak`) or would have to wait: `capacity` (a limit is reached), `no_worker` (no worker may take it), or `no_fit_worker` (the workers that may take it have a problem on their machine).',
      }),
    ),
    cost_range: Type.Object(
      { low_usd: Nullable(Type.Number()), high_usd: Nullable(Type.Number()) },
      { description: 'Typical cost range of similar runs. Null if no cost is known.' },
    ),
  },
  { $id: 'DryRun', title: 'DryRun' },
)

export const steeringComponents = [
  MessageBody,
  PageOf('Message'),
  QuestionBody,
  PageOf('Question'),
  ArtifactBody,
  PageOf('Artifact'),
  SpanBody,
  Timeline,
  EngineBody,
  PageOf('Engine'),
  ModelBody,
  PageOf('Model'),
  DryRun,
]
