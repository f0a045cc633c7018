import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { link, mkdir, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { digestOfFiles, type ListedFile } from './list-files.ts'
import { runTar } from './run-tar.ts'

/** What no sandbox shows is kept for so long, as the next run of the repository may show it. */
const KEPT_MS = 15 * 60_000

type Kept = { files: Map<string, string>; source: string; usedAt: number }
type Begun = { draft: string; source: string; files: ListedFile[]; begunAt: number }

/**
 * Folders of the service's machine that sandboxes here are shown, such as the objects of the repository of their run. They are
 * here for as long as runs need them: a worker that starts begins with none.
 */
export class FolderStore {
  readonly #root: string
  readonly #kept = new Map<string, Kept>()
  readonly #begun = new Map<string, Begun>()
  /** Which of them each sandbox shows. */
  readonly #shown = new Map<string, string[]>()

  constructor(root: string) {
    this.#root = root
    rmSync(root, { recursive: true, force: true })
    mkdirSync(root, { recursive: true })
    // Passed by the user of sandboxes, and listed by nobody.
    chmodSync(root, 0o711)
  }

  /** Where it lies; throws when it is not here. */
  pathOf(digest: string): string {
    if (!this.#kept.has(digest)) throw new Error('The folder was not sent to this worker.')
    return path.join(this.#root, digest)
  }

  /** Which of these files have to be sent, by their places in the list; null: it is here already. */
  async begin(digest: string, { source, files }: { source: string; files: ListedFile[] }): Promise<number[] | null> {
    const known = this.#kept.get(digest)
    if (known) {
      known.usedAt = performance.now()
      return null
    }
    if (digestOfFiles(files) !== digest) throw new Error('The list of files is not the one that its name says.')
    const before = [...this.#kept].findLast(([, kept]) => kept.source === source)
    const draft = path.join(this.#root, `.${randomUUID()}`)
    const earlier = this.#begun.get(digest)
    this.#begun.set(digest, { draft, source, files, begunAt: performance.now() })
    if (earlier) await rm(earlier.draft, { recursive: true, force: true })
    await mkdir(draft)
    const missing: number[] = []
    for (const [at, [name, facts]] of files.entries()) {
      const target = inside(draft, name)
      if (facts === 'folder') await mkdir(target, { recursive: true })
      else if (facts.startsWith('link ')) await symlink(facts.slice('link '.length), target)
      else if (!(before && (await this.#takeOver(before, { name, facts, target })))) missing.push(at)
    }
    return missing
  }

  /** Takes the files that were missing, as an archive. */
  async finish(digest: string, archive: Readable): Promise<void> {
    const begun = this.#begun.get(digest)
    if (!begun) throw new Error('Nobody has said what this folder holds.')
    this.#begun.delete(digest)
    const { draft, source, files } = begun
    try {
      await unpack(archive, draft)
      await rename(draft, path.join(this.#root, digest))
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Somebody else has sent the same meanwhile.
      if (this.#kept.has(digest)) return
      throw error
    }
    this.#kept.set(digest, { source, files: new Map(files), usedAt: performance.now() })
  }

  /** The sandbox of this id shows these, until it is removed. */
  show(id: string, digests: string[]): void {
    this.#shown.set(id, digests)
  }

  hide(id: string): void {
    this.#shown.delete(id)
  }

  /** Removes what no sandbox has shown for a while. */
  async sweep(): Promise<void> {
    const shown = new Set([...this.#shown.values()].flat())
    for (const [digest, kept] of this.#kept) {
      if (shown.has(digest)) kept.usedAt = performance.now()
      else if (performance.now() - kept.usedAt > KEPT_MS) {
        this.#kept.delete(digest)
        await rm(path.join(this.#root, digest), { recursive: true, force: true })
      }
    }
    // Begun by a service that has gone.
    for (const [digest, { draft, begunAt }] of this.#begun) {
      if (performance.now() - begunAt < KEPT_MS) continue
      this.#begun.delete(digest)
      await rm(draft, { recursive: true, force: true })
    }
  }

  /** False where the earlier folder has no such file. */
  async #takeOver(
    [digest, { files }]: [string, Kept],
    { name, facts, target }: { name: string; facts: string; target: string },
  ): Promise<boolean> {
    if (files.get(name) !== facts) return false
    return link(path.join(this.#root, digest, name), target).then(
      () => true,
      () => false,
    )
  }
}

function inside(folder: string, name: string): string {
  const target = path.join(folder, name)
  if (!target.startsWith(`${folder}${path.sep}`)) throw new Error(`${name} does not lie in the folder.`)
  return target
}

async function unpack(archive: Readable, folder: string): Promise<void> {
  if (!existsSync(folder)) throw new Error('What was to be filled is not there any more.')
  const args = ['--no-same-owner', '--no-overwrite-dir', '-xf', '-']
  await runTar(folder, { args, feed: (tar) => pipeline(archive, tar.stdin) }).catch((error: Error) => {
    throw new Error(`A folder could not be unpacked: ${error.message}`, { cause: error })
  })
}
