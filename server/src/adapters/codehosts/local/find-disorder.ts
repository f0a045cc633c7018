import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { fileTime } from './file-time.ts'

/** What slows down everybody who reads a repository, and what git programs that were killed have left in it. */
export type Disorder = { packs: number; looseObjects: number; looseRefs: number; leftovers: string[] }

/** Looks at the names of files alone. */
export async function findDisorder(repository: string): Promise<Disorder> {
  const [own, objects, packs, refs] = await Promise.all([
    list(repository),
    list(path.join(repository, 'objects')),
    list(path.join(repository, 'objects', 'pack')),
    list(path.join(repository, 'refs'), { recursive: true }),
  ])
  const loose = objects.filter((file) => /^[0-9a-f]{2}$/.test(path.basename(file)))
  const looseObjects = (await Promise.all(loose.map((folder) => list(folder)))).reduce((n, { length }) => n + length, 0)
  const keeps = packs.filter((file) => file.endsWith('.keep'))
  const isLock = (file: string) => file.endsWith('.lock') && path.basename(file) !== 'maintenance.lock'
  const isTemporary = (file: string) => /^(tmp_(?!objdir-)|\.tmp-|bitmap-ref-tips_)/.test(path.basename(file))
  const passing = [
    ...[...own, ...packs, ...refs].filter(isLock).map((file) => ({ file, ageMsMax: gitLimits.lockLeftMs })),
    ...[...objects, ...packs].filter(isTemporary).map((file) => ({ file, ageMsMax: gitLimits.temporaryLeftMs })),
    ...keeps.map((file) => ({ file, ageMsMax: gitLimits.keepLeftMs })),
  ]
  return {
    packs: packs.filter((file) => file.endsWith('.pack') && !isTemporary(file)).length,
    looseObjects,
    looseRefs: refs.filter((file) => !isLock(file)).length,
    leftovers: passing.length ? await leftOf(passing, await fileTime(repository)) : [],
  }
}

/** Also folders, unless it is asked for all below. */
async function list(folder: string, { recursive = false } = {}): Promise<string[]> {
  const entries = await readdir(folder, { recursive, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !recursive || entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
}

/** A pack that a push brings is kept as it is until its refs have moved; others may be kept by who runs the service. */
async function isOfPush(keep: string): Promise<boolean> {
  return (await readFile(keep, 'utf8').catch(() => '')).startsWith('receive-pack ')
}

type Passing = { file: string; ageMsMax: number }

/** Nothing that is at work keeps a file for so long without writing to it. */
async function leftOf(passing: Passing[], nowMs: number): Promise<string[]> {
  const left = await Promise.all(
    passing.map(async ({ file, ageMsMax }) => {
      const found = await stat(file).catch(() => undefined)
      const isOld = found !== undefined && found.mtimeMs < nowMs - ageMsMax
      return isOld && (!file.endsWith('.keep') || (await isOfPush(file)))
    }),
  )
  return passing.flatMap(({ file }, index) => (left[index] ? [file] : []))
}
