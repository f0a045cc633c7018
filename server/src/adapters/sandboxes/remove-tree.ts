import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runInShell } from '#base/run-in-shell.ts'
import { quoteWord } from '#base/quote-word.ts'

/** No folder takes so long; a disk that does not answer may. */
const timeoutMs = 24 * 60 * 60_000

/**
 * Removes a folder that an agent wrote, with folders left without permissions and paths longer than the kernel takes
 * at once. Links are never followed. Nothing may run in it any more.
 */
export async function removeTree(path: string): Promise<void> {
  const whole = resolve(path)
  if (await remove(whole)) return
  await run('chmod', ['-R', 'u+rwX', '--', whole])
  if (!(await remove(whole))) throw new Error(`could not remove ${path}`)
}

async function remove(path: string): Promise<boolean> {
  await run('rm', ['-rf', '--one-file-system', '--', path])
  return access(path).then(
    () => false,
    () => true,
  )
}

/** What it complains of, be it gigabytes, nobody reads. */
async function run(program: string, words: string[]): Promise<void> {
  const script = `exec ${[program, ...words].map(quoteWord).join(' ')} >/dev/null 2>&1`
  await runInShell({
    script,
    timeoutMs,
    graceMs: 0,
    outputBytesMax: 0,
    stderrCharactersMax: 0,
  })
}
