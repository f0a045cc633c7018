import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startTimeOf } from '#base/read-process.ts'
import { bootId } from '#base/temporary-folder.ts'
import { makeReadableFolder, makeStaging, sweep } from './repository-folder.ts'

/** Beside the organizations' folders, so that what is left of pushes is found without a look at every repository. */
const folderName = '.incoming'

/** A folder for what comes in, on the disk of its repository, that names who made it. */
export async function makeQuarantine(repository: string): Promise<string> {
  const root = path.dirname(path.dirname(repository))
  return makeStaging(path.join(root, folderName), `${bootId()}.${process.pid}.${startTimeOf(process.pid)}.`)
}

/** Makes it a place for objects over those of its repository, and says what git must be told to use it. */
export async function layOver(quarantine: string, repository: string): Promise<Record<string, string>> {
  await makeReadableFolder(path.join(quarantine, 'info'))
  await makeReadableFolder(path.join(quarantine, 'pack'))
  await writeFile(path.join(quarantine, 'info', 'alternates'), `${path.join(repository, 'objects')}\n`)
  return { GIT_OBJECT_DIRECTORY: quarantine, GIT_QUARANTINE_PATH: quarantine }
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

/** What the packs in it take up. */
export async function packBytes(quarantine: string): Promise<number> {
  const folder = path.join(quarantine, 'pack')
  const files = await Promise.all((await readdir(folder)).map((name) => stat(path.join(folder, name))))
  return files.reduce((bytes, { size }) => bytes + size, 0)
}

/** The index comes last: a pack without one is not looked at. */
export async function release(quarantine: string, repository: string): Promise<void> {
  const names = (await readdir(path.join(quarantine, 'pack'))).filter((name) =>
    /^pack-[0-9a-f]+\.(pack|rev|idx)$/.test(name),
  )
  const order = ['.pack', '.rev', '.idx']
  names.sort((a, b) => order.indexOf(path.extname(a)) - order.indexOf(path.extname(b)))
  await makeReadableFolder(path.join(repository, 'objects', 'pack'))
  for (const name of names) {
    await rename(path.join(quarantine, 'pack', name), path.join(repository, 'objects', 'pack', name))
  }
}
