import { OffProcess } from '#base/off-process/off-process.ts'
import type { SyntaxTask } from './check-syntax-tasks.ts'
import { hasCheckedSyntax } from './has-checked-syntax.ts'
import type { SyntaxFault } from './find-syntax-fault.ts'

/** Longer files are left alone. What a parser needs grows with them: some 300 MB for the worst of this size. */
const CHARACTERS_MAX = 512 * 1024
/** Nobody waits longer for what is only a hint, not even while the process that parses starts. */
const WAIT_MS = 3_000

const parsers = new OffProcess<SyntaxTask, SyntaxFault | null>({
  script: new URL('./check-syntax-tasks.ts', import.meta.url),
  processesMax: 1,
  memoryBytesMax: 256 * 2 ** 20,
  timeMs: 1_000,
  // Models take their time between two edits, and the process its time to start.
  idleMs: 5 * 60_000,
})

/**
 * Where a file that could be read before cannot be read any more, or a new one cannot; null where nothing is known, as of
 * other languages, very long files, and files that take too much to parse. `key`: who asks, such as a sandbox.
 */
export async function checkSyntax({ key, ...task }: SyntaxTask & { key: string }): Promise<SyntaxFault | null> {
  const { path, before, after } = task
  if (!hasCheckedSyntax(path) || Math.max(before?.length ?? 0, after.length) > CHARACTERS_MAX) return null
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), WAIT_MS)
  try {
    // Whatever fails there, the change itself has been made.
    return await Promise.race([parsers.run(task, { key }).catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
