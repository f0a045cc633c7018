import { Type } from 'typebox'
import { storageKinds } from '#domain/accounts/storage/storage.ts'
import { Component, Id, Word } from './fields.ts'

const Bytes = Type.Integer({ minimum: 0 })

const StorageBody = Component('Storage', {
  bytes: Bytes,
  bytes_max: Bytes,
  kinds: Type.Array(Type.Object({ kind: Word(storageKinds), bytes: Bytes })),
  repo_bytes_max: Type.Integer({ minimum: 0, description: 'Storage limit of each repository, in bytes.' }),
  run_bytes_max: Type.Integer({
    minimum: 0,
    description: 'Storage limit of each run, in bytes: its pushes, artifacts, and log.',
  }),
  log_bytes_max: Type.Integer({ minimum: 0, description: 'How much the log of one run can hold, in bytes.' }),
  repos: Type.Array(Type.Object({ repo_id: Id, name: Type.String(), bytes: Bytes }), {
    description: 'The largest repositories, largest first.',
  }),
})

export const storageComponents = [StorageBody]
