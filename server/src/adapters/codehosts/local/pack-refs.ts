import { gitLimits } from '#base/hosts/git-limits.ts'
import { askGit } from './ask-git.ts'

/** Puts all refs into one file, which is on the disk before the files of each go. */
export async function packRefs(repository: string): Promise<void> {
  await askGit({ repository, arguments: ['pack-refs', '--all'], timeoutMs: gitLimits.packRefsMs })
}
