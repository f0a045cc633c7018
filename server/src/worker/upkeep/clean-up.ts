import type { App } from '#app/app.ts'
import { sweepTemporaryFolders } from '#base/temporary-folder.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { sweepMerges } from '#domain/hosts/pulls/sweep-merges.ts'
import { beginCollecting } from './collect-repositories.ts'
import { beginDeleting } from './delete-data.ts'
import { beginInstalling } from './install-engines.ts'
import { beginMaintaining } from './maintain-repositories.ts'
import { cleanSandboxes } from './clean-sandboxes.ts'
import { sweepSnapshots } from '#worker/runs/setup/sweep-snapshots.ts'

export type CleanUp = {
  /** Runs that this process holds itself. */
  except: number[]
}

/**
 * What every process does from time to time, workers and API alike, for what lies on its own machine, so that nothing stays
 * behind where the one that made it was killed. A chore that fails keeps no other from being done. Never rejects.
 */
export async function cleanUp(app: App, { except }: CleanUp): Promise<void> {
  const { pool } = app
  const ofMachine: Record<string, () => Promise<unknown>> = {
    sandboxes: () => cleanSandboxes(app, { except }),
    snapshots: () => sweepSnapshots(app),
  }
  const ofProcess: Record<string, () => Promise<unknown>> = {
    temporary_folders: () => sweepTemporaryFolders(app.temporaryFolder),
    pushes: () => app.hosts.admin.sweep(),
    blobs: () => sweepBlobs(pool, app.blobs),
    packs: async () => beginMaintaining(app),
    deletions: async () => beginDeleting(app),
    dead_objects: async () => beginCollecting(app),
    merges: () => sweepMerges(pool, { hosts: app.hosts }),
    engines: async () => beginInstalling(app),
  }
  // For a remote worker, the process that it is connected to does the others anyway.
  const chores = app.remote ? ofMachine : { ...ofMachine, ...ofProcess }
  for (const [name, chore] of Object.entries(chores)) await app.telemetry.chores.do(name, chore)
}
