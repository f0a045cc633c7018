import { Type } from 'typebox'
import { Nullable, Ordinal, PageOf, Time, Word } from './fields.ts'

const SnapshotBody = Type.Object(
  {
    n: Ordinal,
    state: Word(['making', 'ready', 'unfit', 'failed'], {
      description: 'Unfit: it cannot be kept, so each work tree is set up by itself. Failed: the commands fail.',
    }),
    machine: Type.String({ description: 'The data folder in which it lies; each machine makes its own.' }),
    base_commit: Type.String({ description: 'In whose work tree the commands were run.' }),
    bytes: Nullable(Type.Integer({ minimum: 0 })),
    setup_ms: Nullable(Type.Integer({ minimum: 0, description: 'How long the commands have taken.' })),
    problem: Nullable(
      Type.Object({
        message: Type.String(),
        command: Nullable(Type.String({ description: 'That has failed.' })),
        exit_code: Nullable(Type.Integer()),
        output: Nullable(Type.String({ description: 'The end of what it printed.' })),
      }),
    ),
    created_at: Time,
    used_at: Time,
  },
  { $id: 'Snapshot', title: 'Snapshot' },
)

export const snapshotComponents = [SnapshotBody, PageOf('Snapshot')]
