import { statSync } from 'node:fs'
import type { CreateSandbox } from './sandbox.ts'

/** What of a sandbox cannot be changed any more once it runs. */
export type WarmSpec = Pick<CreateSandbox, 'limits' | 'mounts'> & { hasNetwork: boolean }

/**
 * The same for sandboxes of one kind that can stand for each other. Throws where a mount shows nothing. What a mount shows is in it by its path and by the folder that is there now: no
 * sandbox ever shows one repository's objects to a run of another, nor those of one that was removed and made anew.
 */
export function warmKeyOf({ limits, mounts = {}, hasNetwork }: WarmSpec): string {
  const shown = Object.entries(mounts).map(([name, source]) => {
    const { dev, ino } = statSync(source)
    return [name, source, dev, ino] as const
  })
  return JSON.stringify([limits, shown.toSorted(([a], [b]) => (a < b ? -1 : 1)), hasNetwork])
}
