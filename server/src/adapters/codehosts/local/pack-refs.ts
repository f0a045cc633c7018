import { gitLimits } from '#base/hosts/git-limits.ts'
import { askGit } from './ask-git.ts'

/** For a git that moves many refs: none of them is written through to the disk by itself. Their packing does it for all at once. */
export const unsyncedRefs: [string, string] = ['core.fsync', 'loose-object']

/** Puts all refs into one file, which is on the disk before the files of each go. */
export async function packRefs(repository: string): Promise<void> {
  await askGit({ repository, arguments: ['pack-refs', '--all'], timeoutMs: gitLimits.packRefsMs })
}
