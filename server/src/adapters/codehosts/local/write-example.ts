import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { limits } from '#base/limits.ts'
import { askGit } from './ask-git.ts'
import { writeCommit } from './write-commit.ts'

/** The project that comes with the service; one of its tests fails. */
const folder = path.join(import.meta.dirname, '../../../../../examples/receipts')
/** A fixed date, so that the commit is the same wherever it is made. */
const writtenAt = new Date('2026-01-05T09:00:00Z')
const author = { name: 'Ada Example', email: 'ada@example.com' }

/** Fills an empty bare repository with the example project, as one commit on `main`. */
export async function writeExample(repository: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const ask = (words: string[], input?: string) =>
    askGit({
      repository,
      arguments: words,
      ...(input !== undefined && { input: Readable.from([Buffer.from(input)], { objectMode: false }) }),
      timeoutMs: limits.gitCommandMs,
    })
  const ids = (await ask(['hash-object', '-w', '--no-filters', '--stdin-paths'], `${files.join('\n')}\n`)).split('\n')
  const index = files.map((file, n) => `100644 ${ids[n]}\t${path.relative(folder, file).split(path.sep).join('/')}\n`)
  await ask(['update-index', '--add', '--index-info'], index.join(''))
  const tree = (await ask(['write-tree'])).trim()
  const message = 'Receipts for shopping baskets\n'
  const commit = (await writeCommit(repository, { tree, parents: [], by: author, at: writtenAt, message })).trim()
  await ask(['update-ref', 'refs/heads/main', commit])
}
