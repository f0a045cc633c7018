import { Type } from 'typebox'
import { AnyObject, Component, Id, Nullable, Time, Word } from './fields.ts'

const place = {
  agent_run_id: Id,
  step: Type.Integer({ minimum: 1, description: 'Step number within the run. Later steps have higher numbers.' }),
  turn: Type.Integer({ minimum: 1 }),
}

const Tool = Component(
  'LiveTool',
  {
    ...place,
    tool_name: Type.String(),
    tool_input: AnyObject({
      description: 'Secrets are masked and long strings are truncated. The log entry has the full input.',
    }),
    tool_input_cut: Type.Boolean({ description: 'Whether part of the input was truncated.' }),
    started_at: Time,
    ended_at: Nullable(Type.String({ format: 'date-time', description: 'Null while the tool is running.' })),
  },
  { description: "Data of a `tool` event in a run's log stream." },
)

const Delta = Component(
  'TextDelta',
  {
    ...place,
    kind: Word(['thought', 'answer'], { description: 'What the agent is writing.' }),
    at: Type.Integer({
      minimum: 0,
      description:
        'Offset of this piece in the text, in UTF-16 code units. The piece replaces everything from that offset on. If the offset is past the end of the text you have, you missed an earlier piece.',
    }),
    text: Type.String({ description: 'The piece of text, with secrets masked.' }),
    done: Type.Boolean({ description: 'Whether this is the last piece. The log entry has the full text.' }),
  },
  { description: "Data of a `delta` event in a run's log stream." },
)

export const liveComponents = [Tool, Delta]
