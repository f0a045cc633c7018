import type { App } from '#app/app.ts'
import { sweepTemporaryFolders } from '#base/temporary-folder.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { findDueUpkeep } from '#domain/hosts/upkeep/find-due-upkeep.ts'
import { sweepMerges } from '#domain/hosts/pulls/sweep-merges.ts'
import { beginCollecting } from './collect-repositories.ts'
import { beginDeleting } from './delete-data.ts'
import { beginInstalling } from './install-engines.ts'
import { beginMaintaining } from './maintain-repositories.ts'
import { cleanSandboxes } from './clean-sandboxes.ts'
import { openRounds } from './rounds.ts'
import { sweepSnapshots } from '#worker/runs/setup/sweep-snapshots.ts'

export type CleanUp = {
  /** Runs that this process holds itself. */
  except: number[]
}

/**
 * What every process does from time to time, workers and API alike, for what lies on its own machine, so that nothing stays
 * behind where the one that made it was killed. A chore that fails keeps no other from being done. Never rejects.
 */
export function openCleanUp(app: App): (which: CleanUp) => Promise<void> {
  const { pool, telemetry } = app
  const doRounds = openRounds(app)
  return async ({ except }) => {
    await telemetry.chores.do('sandboxes', () => cleanSandboxes(app, { except }))
    await doRounds({ snapshots: () => sweepSnapshots(app) })
    // For a remote worker, the process that it is connected to does the others anyway.
    if (app.remote) return
    await telemetry.chores.do('temporary_folders', () => sweepTemporaryFolders(app.temporaryFolder))
    await telemetry.chores.do('pushes', () => app.hosts.admin.sweep())
    beginMaintaining(app)
    // Who orders an engine wakes the workers; one that was installed by hand is noticed after a while.
    await doRounds({ engines: async () => (beginInstalling(app), 0) })
    const due = await telemetry.chores.do('due_upkeep', () => findDueUpkeep(pool))
    if (due?.deletions) beginDeleting(app)
    if (due?.deadObjects) beginCollecting(app)
    if (due?.blobs) await telemetry.chores.do('blobs', () => sweepBlobs(pool, app.blobs))
    if (due?.merges) await telemetry.chores.do('merges', () => sweepMerges(pool, { hosts: app.hosts }))
  }
}
