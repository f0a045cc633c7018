import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { testFolder } from '#test/test-git.ts'
import { askGit } from './ask-git.ts'
import { initRepository } from './repository-folder.ts'

/** Each file with its mode and what it says, and each folder with its mode. */
async function read(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const read = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const { mode } = await stat(file)
    return [path.relative(folder, file), `${mode.toString(8)} ${entry.isFile() ? await readFile(file, 'utf8') : ''}`]
  })
  return Object.fromEntries(await Promise.all(read))
}

// Elsewhere git notes what the file system does to names, which means nothing where there is no work tree.
const skip = process.platform !== 'linux'

test('a new repository is what git itself would make, without its garbage collection', { skip }, async () => {
  const folder = await testFolder()
  const [ours, gits] = [path.join(folder, 'ours.git'), path.join(folder, 'gits.git')]
  await initRepository(ours, 'trunk')
  const words = ['init', '--quiet', '--bare', '--template=', '--initial-branch=trunk', gits]
  await askGit({ arguments: words, timeoutMs: 60_000 })
  const made = await read(gits)
  assert.deepEqual(await read(ours), { ...made, config: `${made.config}[gc]\n\tauto = 0\n` })
  assert.equal((await stat(ours)).mode, (await stat(gits)).mode)
})
