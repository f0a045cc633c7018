import type { StepKind } from '#records/run-record.ts'

export const kindWords: Record<StepKind, string> = {
  model: 'Model',
  tool: 'Tool',
  ask: 'Question',
  note: 'Note',
  entry: 'Log',
}
