import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Removes a folder that an agent wrote, with folders left without permissions and paths longer than the kernel takes
 * at once. Links are never followed. Nothing may run in it any more.
 */
export async function removeTree(path: string): Promise<void> {
  if (await remove(path)) return
  await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => {})
  if (!(await remove(path))) throw new Error(`could not remove ${path}`)
}

async function remove(path: string): Promise<boolean> {
  await run('rm', ['-rf', '--one-file-system', '--', path]).catch(() => {})
  return access(path).then(
    () => false,
    () => true,
  )
}
