import { isStorageFull, takingStorage } from '#domain/accounts/storage/storage.ts'

/** Entries that a log had no room for: its own bound is reached, or a storage limit. None of them was written. */
export class LogRefused extends Error {
  override readonly name = 'LogRefused'
  readonly code: 'output_limit_reached' | 'storage_full'
  constructor(code: LogRefused['code'], message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Appends to a log as its bounds allow. Throws `LogRefused` with the limit and who may raise it. */
export async function takingLog<T>(append: () => Promise<T>): Promise<T> {
  try {
    return await takingStorage(append)
  } catch (error) {
    if (isStorageFull(error)) throw new LogRefused('storage_full', error.message, error)
    if (!isBeyondBound(error)) throw error
    throw new LogRefused('output_limit_reached', `${error.message} ${whoMay}`, error)
  }
}

/** What `take_log` says. */
const isBeyondBound = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'RW003'

const whoMay = 'Start a new run, or ask whoever runs the service to raise the limit (RUNWRIGHT_STORAGE_LOG_MIB).'
