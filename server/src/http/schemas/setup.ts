import { Type } from 'typebox'
import { setupStates } from '#domain/setup-commands/setup-proposal.ts'
import { Component, Id, Nullable, Ordinal, PageOf, Time, Word } from './fields.ts'

export const SetupRun = Type.Object(
  { agent_run_id: Id, status: Type.String(), url: Type.String({ description: 'Where people see the run.' }) },
  { $id: 'SetupRun', title: 'Setup run' },
)

const SetupEvidence = Type.Object(
  {
    command: Type.String(),
    exit_code: Nullable(Type.Integer({ description: 'Null when it was ended.' })),
    duration_ms: Type.Number(),
    tail: Type.String({ description: 'The end of what it printed.' }),
  },
  { $id: 'SetupEvidence', title: 'Setup evidence' },
)

const SetupProposal = Type.Object(
  {
    n: Ordinal,
    repo_id: Id,
    agent_run_id: Id,
    state: Word(setupStates),
    commands: Type.Array(Type.String(), { description: 'In their order, each run when the one before has passed.' }),
    test_command: Nullable(Type.String({ description: 'Null: nothing was found that passes.' })),
    notes: Type.String(),
    evidence: Type.Array(Component('SetupEvidence'), { description: 'What was run, from a clean work tree.' }),
    base_commit: Nullable(Type.String()),
    lockfiles: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Digests of the files on which the installation depends, by path.',
    }),
    created_at: Time,
    accepted_at: Nullable(Time),
    accepted_by: Nullable(Id),
    outdated_at: Nullable(Time),
  },
  { $id: 'SetupProposal', title: 'Setup proposal' },
)

export const setupComponents = [SetupRun, SetupEvidence, SetupProposal, PageOf('SetupProposal')]
