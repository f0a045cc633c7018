import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'

/**
 * Removes a folder that an agent wrote, with folders left without permissions and paths longer than the kernel takes
 * at once. Links are never followed. Nothing may run in it any more.
 */
export async function removeTree(path: string): Promise<void> {
  if (await remove(path)) return
  await run('chmod', ['-R', 'u+rwX', '--', path])
  if (!(await remove(path))) throw new Error(`could not remove ${path}`)
}

async function remove(path: string): Promise<boolean> {
  await run('rm', ['-rf', '--one-file-system', '--', path])
  return access(path).then(
    () => false,
    () => true,
  )
}

/** What it complains of, be it gigabytes, nobody reads. */
function run(program: string, words: string[]): Promise<void> {
  const child = spawn(program, words, { stdio: 'ignore' })
  return new Promise((resolve) => child.on('error', () => resolve()).on('close', () => resolve()))
}
