import { Type } from 'typebox'
import { setupStates } from '#domain/runs/setup-commands/setup-proposal.ts'
import { Component, Id, Nullable, Ordinal, PageOf, Time, Word } from './fields.ts'

export const SetupRun = Type.Object(
  { agent_run_id: Id, status: Type.String(), url: Type.String({ description: 'URL of the run in the web UI.' }) },
  { $id: 'SetupRun', title: 'Setup run' },
)

const SetupEvidence = Type.Object(
  {
    command: Type.String(),
    exit_code: Nullable(Type.Integer({ description: 'Null if the command was terminated.' })),
    duration_ms: Type.Number(),
    tail: Type.String({ description: 'The last part of the output.' }),
  },
  { $id: 'SetupEvidence', title: 'Setup evidence' },
)

const SetupProposal = Type.Object(
  {
    n: Ordinal,
    repo_id: Id,
    agent_run_id: Id,
    state: Word(setupStates),
    commands: Type.Array(Type.String(), {
      description: 'Commands in order. Each one runs only after the previous one has succeeded.',
    }),
    test_command: Nullable(Type.String({ description: 'Null if no passing test command was found.' })),
    notes: Type.String(),
    evidence: Type.Array(Component('SetupEvidence'), {
      description: 'Commands that were run from a clean work tree, with their results.',
    }),
    base_commit: Nullable(Type.String()),
    lockfiles: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Digests of the files that the installation depends on, by path.',
    }),
    created_at: Time,
    accepted_at: Nullable(Time),
    accepted_by: Nullable(Id),
    outdated_at: Nullable(Time),
  },
  { $id: 'SetupProposal', title: 'Setup proposal' },
)

export const setupComponents = [SetupRun, SetupEvidence, SetupProposal, PageOf('SetupProposal')]
