import { readLfsPointer, pointerBytes } from '#adapters/codehosts/lfs-pointer.ts'
import type { LfsFile } from '#adapters/codehosts/lfs-store.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import { limits } from '#base/limits.ts'
import { GitError, runGit } from './run-git.ts'

/** Found by what files hold, not by what attributes say of them: whatever is no pointer stays what it is. */
export async function listLfsFiles(repository: string, { commit }: { commit: string }): Promise<LfsFile[] | null> {
  if (!(await usesLfs(repository, commit))) return null
  const small = await listSmallFiles(repository, commit)
  const pointers = await readPointers(repository, [...new Set(small.map(({ id }) => id))])
  return small.flatMap(({ id, path }) => {
    const pointer = pointers.get(id)
    return pointer ? [{ ...pointer, path }] : []
  })
}

async function usesLfs(repository: string, commit: string): Promise<boolean> {
  const words = ['grep', '-q', '-F', 'filter=lfs', commit, '--', ':(glob)**/.gitattributes']
  const { exitCode, stderr } = await runGit({ repository, arguments: words, timeoutMs: limits.gitCommandMs })
  if (exitCode !== 0 && exitCode !== 1) throw new GitError('exited', stderr)
  return exitCode === 0
}

async function listSmallFiles(repository: string, commit: string): Promise<{ id: string; path: string }[]> {
  const { exitCode, stdout, stderr, isCut } = await runGit({
    repository,
    arguments: ['ls-tree', '-r', '-l', '-z', '--full-tree', commit],
    outputBytesMax: gitLimits.filesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  if (exitCode !== 0 && !isCut) throw new GitError('exited', stderr)
  const small: { id: string; path: string }[] = []
  for (const entry of stdout.toString().split('\0')) {
    const [whole, id, size] = /^100\d{3} blob ([0-9a-f]{40,64}) +(\d{1,16})\t/.exec(entry) ?? []
    if (id === undefined || Number(size) < pointerBytes.min || Number(size) > pointerBytes.max) continue
    small.push({ id, path: entry.slice(whole?.length) })
    if (small.length === lfsLimits.smallFilesMax) break
  }
  return small
}

async function readPointers(repository: string, ids: string[]) {
  const { stdout } = await runGit({
    repository,
    arguments: ['cat-file', '--batch', '--buffer'],
    input: ids.map((id) => `${id}\n`).join(''),
    outputBytesMax: lfsLimits.smallFilesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  const pointers = new Map<string, NonNullable<ReturnType<typeof readLfsPointer>>>()
  for (let at = 0; at < stdout.length;) {
    const lineEnd = stdout.indexOf(10, at)
    const [id = '', , size = ''] = stdout.toString('latin1', at, lineEnd).split(' ')
    if (lineEnd < 0 || !/^\d+$/.test(size)) break
    const pointer = readLfsPointer(stdout.toString('latin1', lineEnd + 1, lineEnd + 1 + Number(size)))
    if (pointer) pointers.set(id, pointer)
    at = lineEnd + 1 + Number(size) + 1
  }
  return pointers
}
