import { Type, type Static } from 'typebox'
import { AnyObject, Id, Nullable, Time, Word } from './fields.ts'

const place = {
  agent_run_id: Id,
  step: Type.Integer({ minimum: 1, description: 'Which step of the run; later steps have higher numbers.' }),
  turn: Type.Integer({ minimum: 1 }),
}

const Tool = Type.Object(
  {
    ...place,
    tool_name: Type.String(),
    tool_input: AnyObject({ description: 'Secrets are masked and long strings are cut; the log entry has all of it.' }),
    tool_input_cut: Type.Boolean({ description: 'Whether something was left out.' }),
    started_at: Time,
    ended_at: Nullable(Type.String({ format: 'date-time', description: 'Null while it runs.' })),
  },
  { $id: 'LiveTool', title: 'LiveTool', description: 'The data of a `tool` event on the stream of a run.' },
)

const Delta = Type.Object(
  {
    ...place,
    kind: Word(['thought', 'answer'], { description: 'What is being written.' }),
    at: Type.Integer({
      minimum: 0,
      description:
        'Where in the text this piece belongs, in UTF-16 code units. It replaces everything from there on. A value beyond what you have means that you missed the part before it.',
    }),
    text: Type.String({ description: 'The piece, masked.' }),
    done: Type.Boolean({ description: 'Whether this was the last piece; the log entry has the whole text.' }),
  },
  { $id: 'TextDelta', title: 'TextDelta', description: 'The data of a `delta` event on the stream of a run.' },
)

export type LiveTool = Static<typeof Tool>
export type TextDelta = Static<typeof Delta>
export const liveComponents = [Tool, Delta]
