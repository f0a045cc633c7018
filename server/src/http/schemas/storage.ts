import { Type } from 'typebox'
import { storageKinds } from '#domain/storage/storage.ts'
import { Id, Word } from './fields.ts'

const Bytes = Type.Integer({ minimum: 0 })

const StorageBody = Type.Object(
  {
    bytes: Bytes,
    bytes_max: Bytes,
    kinds: Type.Array(Type.Object({ kind: Word(storageKinds), bytes: Bytes })),
    repo_bytes_max: Type.Integer({ minimum: 0, description: 'Of each repository.' }),
    run_bytes_max: Type.Integer({ minimum: 0, description: 'Of what each run has pushed, and its artifacts and log.' }),
    repos: Type.Array(Type.Object({ repo_id: Id, name: Type.String(), bytes: Bytes }), {
      description: 'The largest, the largest first.',
    }),
  },
  { $id: 'Storage', title: 'Storage' },
)

export const storageComponents = [StorageBody]
