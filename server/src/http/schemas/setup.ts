import { Type } from 'typebox'
import { setupStates } from '#domain/runs/setup-commands/setup-proposal.ts'
import { Component, Id, Nullable, Ordinal, PageOf, RefTo, Time, Word } from './fields.ts'

export const SetupRun = Component(
  'SetupRun',
  { agent_run_id: Id, status: Type.String(), url: Type.String({ description: 'URL of the run in the web UI.' }) },
  { title: 'Setup run' },
)

const SetupEvidence = Component(
  'SetupEvidence',
  {
    command: Type.String(),
    exit_code: Nullable(Type.Integer({ description: 'Null if the command was terminated.' })),
    duration_ms: Type.Number(),
    tail: Type.String({ description: 'The last part of the output.' }),
  },
  { title: 'Setup evidence' },
)

const SetupProposal = Component(
  'SetupProposal',
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
    evidence: Type.Array(RefTo(SetupEvidence), {
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
  { title: 'Setup proposal' },
)

export const setupComponents = [SetupRun, SetupEvidence, SetupProposal, PageOf(SetupProposal)]
