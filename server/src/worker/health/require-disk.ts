import type { App } from '#app/app.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { SetupFailed } from '#worker/failures/setup-failed.ts'
import { nodeHealthOf } from './node-health.ts'
import { NodeUnfit } from './node-unfit.ts'

/**
 * What programs in a sandbox could not do while the disk of this machine is full or broken says nothing of the code: throws
 * `NodeUnfit`. Asked while the sandbox is there, since with it may go what has filled the disk.
 */
export async function requireDisk(app: App, failed: { message: string; cause?: unknown }): Promise<void> {
  const fault = await nodeHealthOf(app).blameDisk()
  if (fault) throw new NodeUnfit(fault, failed.message, { cause: failed.cause })
}

/** Throws the error, or what has caused it. */
export async function orUnfitDisk(app: App, error: unknown): Promise<never> {
  if (error instanceof SetupFailed || mayBeTheDisk(error))
    await requireDisk(app, { message: error.message, cause: error })
  throw error
}

/** What git in a sandbox could not do, for whatever reason it gave. */
const doneInside = new Set(['checkout_failed', 'commit_failed', 'pack_failed'])

export const mayBeTheDisk = (error: unknown): error is RunFailure =>
  error instanceof RunFailure && doneInside.has(error.code)
