import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { LfsFile } from '#adapters/codehosts/lfs-store.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import type { Entry } from '#base/entry.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import { isInCone, type WorkPaths } from '#domain/repos/work-paths.ts'

/** The name of the mount that shows the repository's large files inside a sandbox. */
const lfsMount = 'lfs'

/** `isUsed`: the commit says that it uses Git LFS. `here`: paths of files whose content is here; `left`: those that stay pointers. */
export type LfsFiles = { isUsed: boolean; mounts: Record<string, string>; here: string[]; left: LeftFile[] }
type LeftFile = Pick<LfsFile, 'path' | 'bytes'> & { why: 'too_much' | 'missing' }

export const noLfsFiles: LfsFiles = { isUsed: false, mounts: {}, here: [], left: [] }

/** Where large files lie, as commands in the sandbox see it; empty where there are none. */
export const lfsIn = ({ paths }: Sandbox): string => paths.mounts[lfsMount] ?? ''

/** `paths`: to which folders the work tree is limited. */
type FindLfsFiles = { ref: RepoRef; commit: string | null; paths: WorkPaths; signal: AbortSignal }

/**
 * Brings the large files of a commit onto this machine, with the credentials by which its repository is connected: the smallest
 * first, as many as the operator allows. Rejects with a `HostError` where the host cannot be asked now.
 */
export async function findLfsFiles(
  { hosts, config }: Pick<App, 'hosts' | 'config'>,
  { ref, commit, paths, signal }: FindLfsFiles,
): Promise<LfsFiles> {
  const { lfs } = hosts.git(ref)
  const listed = commit === null ? null : await lfs.list(ref, { commit })
  if (!listed) return noLfsFiles
  const files = listed.filter(({ path }) => isInCone(path, paths))
  const chosen = choose(files, config.lfsBytes)
  const { folder, here } = await lfs.bring(ref, [...chosen.values()], { signal })
  const left = files.flatMap(({ oid, path, bytes }): LeftFile[] => {
    if (here.has(oid)) return []
    return [{ path, bytes, why: chosen.has(oid) ? 'missing' : 'too_much' }]
  })
  const brought = files.flatMap(({ oid, path }) => (here.has(oid) ? [path] : []))
  return { isUsed: true, mounts: { [lfsMount]: folder }, here: brought, left }
}

/** By their oids: each counts once, however many files are like it. */
function choose(files: readonly LfsFile[], bytesMax: number): Map<string, LfsFile> {
  const chosen = new Map<string, LfsFile>()
  let bytes = 0
  for (const file of files.toSorted((one, other) => one.bytes - other.bytes)) {
    if (chosen.has(file.oid)) continue
    bytes += file.bytes
    if (bytes > bytesMax || chosen.size === lfsLimits.workTreeFilesMax) break
    chosen.set(file.oid, file)
  }
  return chosen
}

/** What is told of files that stay pointers; null where none does. */
export function lfsEntry({ left }: LfsFiles): Entry | null {
  if (!left.length) return null
  const named = left
    .slice(0, lfsLimits.leftNamedMax)
    .map(({ path, bytes }) => `${path} (${Math.ceil(bytes / 2 ** 20)} MiB)`)
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : ''
  const isTooMuch = left.some(({ why }) => why === 'too_much')
  const why = isTooMuch
    ? 'together they are more than a work tree gets; the operator of the service can raise that (RUNWRIGHT_LFS_MIB)'
    : 'the code host does not have their content, or does not give it'
  return {
    messageType: 'ACTION',
    toolName: 'lfs',
    toolOutput: { left_as_pointers: left.length },
    observation: `Large files (Git LFS) that are only pointers in the work tree: ${named.join(', ')}${more}. The reason: ${why}.`,
  }
}
