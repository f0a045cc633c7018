import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '#app/app.ts'
import { setupLimits } from '#base/setup-limits.ts'
import { sweepSnapshots as sweepRows } from '#domain/runs/snapshots/sweep-snapshots.ts'

/**
 * Keeps what setups have left at this place within its room, and removes files that no row names any more, and sandboxes
 * in which nothing is made any more, whoever left them. Answers how many of both there are.
 */
export async function sweepSnapshots(
  app: Pick<App, 'pool' | 'sandboxes' | 'place' | 'snapshotFolder' | 'config'>,
): Promise<number> {
  // Rows are made before folders and sandboxes, so what has none by now has lost it.
  const folders = await readdir(app.snapshotFolder).catch(() => [])
  const sandboxes = (await app.sandboxes.list()).filter((id) => id.startsWith('setup-'))
  const { making, ready } = await sweepRows(app.pool, { place: app.place, bytesMax: app.config.snapshotBytes })
  for (const id of sandboxes) if (!making.has(id.slice('setup-'.length))) await app.sandboxes.remove(id)
  for (const name of folders) {
    const folder = path.join(app.snapshotFolder, name)
    if (!making.has(name) && !ready.has(name) && !(await isInUse(folder)))
      await rm(folder, { recursive: true, force: true })
  }
  return folders.length + sandboxes.length
}

async function isInUse(folder: string): Promise<boolean> {
  const usedAt = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0
  return Date.now() - usedAt < setupLimits.filesKeptMs
}
