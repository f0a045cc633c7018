import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdRepository } from '#adapters/codehosts/local/hold-repository.ts'
import { listLfsObjects } from '#adapters/codehosts/local/list-lfs-objects.ts'
import { exists } from '#adapters/codehosts/local/repository-folder.ts'
import { BackupError } from './backup-error.ts'
import { copyToFile } from './copy-file.ts'
import { isInRepository, type FileListWriter } from './file-list.ts'

const lookMs = 200
/** Longer than git may take to put a repository in order. */
const holdMsMax = 60 * 60_000

/** Does something while nobody puts the repository in order or collects what is dead there. Undefined: it is not there any more. */
export async function inOrder<T>(
  repository: string,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (
    const until = performance.now() + holdMsMax;
    performance.now() < until;
    await sleep(lookMs, undefined, { signal })
  ) {
    if (!(await exists(path.join(repository, 'HEAD')))) return undefined
    let done: { result: T } | undefined
    try {
      await holdRepository(repository, async () => void (done = { result: await work() }))
    } catch (error) {
      if (await exists(path.join(repository, 'HEAD'))) throw error
      return undefined
    }
    if (done) return done.result
  }
  throw new BackupError(
    `${repository} has been put in order for an hour. Look for a git process that hangs, and try again.`,
  )
}

export type CopyRepository = { from: string; to: string; listed: string; files: FileListWriter; signal: AbortSignal }

/**
 * Copies objects and large files. Nothing of them ever changes, and what comes in meanwhile may be in the copy or not: no name
 * in it needs them.
 */
export async function copyObjects({ from, to, listed, files, signal }: CopyRepository): Promise<void> {
  for await (const name of listObjects(from)) {
    signal.throwIfAborted()
    const copied = await copyToFile(createReadStream(path.join(from, name)), path.join(to, name))
    await files.add({ path: `${listed}/${name}`, ...copied })
  }
}

/** Packs that have their index; without it one is still coming in. */
async function* listObjects(repository: string): AsyncGenerator<string> {
  const packs = await namesIn(path.join(repository, 'objects', 'pack'))
  const whole = new Set(packs.filter((name) => name.endsWith('.idx')).map((name) => name.slice(0, -'.idx'.length)))
  for (const name of packs) if (whole.has(path.parse(name).name)) yield* ours(`objects/pack/${name}`)
  for (const digits of await namesIn(path.join(repository, 'objects')))
    if (/^[0-9a-f]{2}$/.test(digits))
      for (const name of await namesIn(path.join(repository, 'objects', digits)))
        yield* ours(`objects/${digits}/${name}`)
  for await (const { file } of listLfsObjects(repository)) yield* ours(path.relative(repository, file))
}

function* ours(name: string): Generator<string> {
  if (isInRepository(name)) yield name
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}
