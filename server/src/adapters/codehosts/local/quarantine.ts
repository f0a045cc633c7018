import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { startTimeOf } from '#base/read-process.ts'
import { bootId } from '#base/temporary-folder.ts'
import { makeStaging, sweep } from './repository-folder.ts'

/** Beside the organizations' folders, so that what is left of pushes is found without a look at every repository. */
const folderName = '.incoming'

/** A folder for what comes in, on the disk of its repository, that names who made it. */
export async function makeQuarantine(repository: string): Promise<string> {
  const root = path.dirname(path.dirname(repository))
  return makeStaging(path.join(root, folderName), `${bootId()}.${process.pid}.${startTimeOf(process.pid)}.`)
}

/** Takes away those of processes of this machine that have ended, and of any machine those that are a day old. */
export async function sweepQuarantines(root: string): Promise<void> {
  const parent = path.join(root, folderName)
  const names = await readdir(parent).catch(() => [])
  for (const name of names) {
    const [boot, pid, startTime] = name.split('.')
    if (boot !== bootId() || startTimeOf(Number(pid)) === startTime) continue
    await rm(path.join(parent, name), { recursive: true, force: true })
  }
  if (names.length) await sweep(parent, '')
}
