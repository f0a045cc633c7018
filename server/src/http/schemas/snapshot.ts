import { Type } from 'typebox'
import { Component, Nullable, Ordinal, PageOf, Time, Word } from './fields.ts'

const SnapshotBody = Component('Snapshot', {
  n: Ordinal,
  state: Word(['making', 'ready', 'unfit', 'failed'], {
    description:
      '`unfit`: the setup cannot be stored as a snapshot, so each work tree runs it separately. `failed`: the setup commands fail.',
  }),
  machine: Type.String({
    description: 'The data folder that holds the snapshot. Each machine creates its own snapshots.',
  }),
  base_commit: Type.String({ description: 'The commit that was checked out when the setup commands ran.' }),
  bytes: Nullable(Type.Integer({ minimum: 0 })),
  setup_ms: Nullable(Type.Integer({ minimum: 0, description: 'Duration of the setup commands in milliseconds.' })),
  problem: Nullable(
    Type.Object({
      message: Type.String(),
      command: Nullable(Type.String({ description: 'The command that failed.' })),
      exit_code: Nullable(Type.Integer()),
      output: Nullable(Type.String({ description: 'The last part of the output.' })),
    }),
  ),
  created_at: Time,
  used_at: Time,
})

export const snapshotComponents = [SnapshotBody, PageOf(SnapshotBody)]
