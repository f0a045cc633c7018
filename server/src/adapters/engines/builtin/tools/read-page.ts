import { OffProcess } from '#base/off-process/off-process.ts'
import type { PageTask, ReadPage } from './read-page-tasks.ts'

const readers = new OffProcess<PageTask, ReadPage>({
  script: new URL('./read-page-tasks.ts', import.meta.url),
  processesMax: 1,
  memoryBytesMax: 384 * 2 ** 20,
  timeMs: 10_000,
})

/** A part of what somebody wrote, as text. Rejects with an `OffProcessLimit` where that takes too much. `key`: who asks, such as a sandbox. */
export function readPage({ key, signal, ...task }: PageTask & { key: string; signal: AbortSignal }): Promise<ReadPage> {
  return readers.run(task, { key, signal })
}
