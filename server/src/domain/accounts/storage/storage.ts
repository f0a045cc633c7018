import { AppError } from '#base/errors.ts'

export const storageKinds = ['git', 'mirrors', 'artifacts', 'checkpoints', 'images', 'logs', 'snapshots'] as const
export type StorageKind = (typeof storageKinds)[number]
export type StorageScope = 'organization' | 'repo' | 'run'
/** By scope, and of the log of one run. */
export type StorageLimits = Record<StorageScope, number> & { log?: number }

/** What `count_storage` says where a limit is reached. */
const isFull = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && error.code === 'RW001'

/** Does what takes up bytes. Throws `storage_full` with the limit and who may raise it; the transaction is over then. */
export async function takingStorage<T>(take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (error) {
    if (!isFull(error)) throw error
    throw new AppError('storage_full', { message: `${error.message} ${whoMay}`, cause: error })
  }
}

export const isStorageFull = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'storage_full'

const whoMay =
  'Remove what is not needed any more, or ask whoever runs the service to raise the limit (RUNWRIGHT_STORAGE_MIB, RUNWRIGHT_STORAGE_REPO_MIB, RUNWRIGHT_STORAGE_RUN_MIB); a lower one of the organization an ADMIN can raise.'
