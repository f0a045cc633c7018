import { lstat, opendir } from 'node:fs/promises'
import path from 'node:path'

export type Measured = { folder: string; bytes: number; files: number; isCut?: true; problem?: string }

/** What folders take up, each with all below it. Where that takes longer than `ms` together, what was counted by then. */
export async function measureFolders(folders: readonly string[], { ms }: { ms: number }): Promise<Measured[]> {
  const until = performance.now() + ms
  const measured: Measured[] = []
  for (const folder of folders) {
    const counted: Measured = { folder, bytes: 0, files: 0 }
    await addUp(folder, counted, until).catch((error: NodeJS.ErrnoException) => {
      counted.problem = error.code ?? 'cannot be read'
    })
    measured.push(counted)
  }
  return measured
}

async function addUp(folder: string, counted: Measured, until: number): Promise<void> {
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const entry of await opendir(next)) {
      if (performance.now() > until) return void (counted.isCut = true)
      const at = path.join(next, entry.name)
      if (entry.isDirectory()) waiting.push(at)
      else {
        // Files come and go while the service works.
        const found = await lstat(at).catch(() => undefined)
        counted.bytes += (found?.blocks ?? 0) * 512
        counted.files += found ? 1 : 0
      }
    }
  }
}
