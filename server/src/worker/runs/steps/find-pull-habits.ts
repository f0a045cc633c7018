import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { PullHabits } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { isConventional } from '#base/text/conventional-title.ts'

const folders = ['.github', '.', 'docs'] as const
const templateBytesMax = 64 * 1024
/** So many commits are looked at; of fewer than the least nothing follows. */
const commits = { looked: 20, least: 3 }

/**
 * How the pull requests of a repository are worded, by its files and commits at the base; null where that cannot be read, such as of
 * too many files.
 */
export async function findPullHabits(
  { hosts }: Pick<App, 'hosts'>,
  { ref, commit }: { ref: RepoRef; commit: string },
): Promise<PullHabits | null> {
  const git = hosts.git(ref)
  try {
    const [listed, subjects] = await Promise.all([
      git.listFiles(ref, { commit, folders }),
      git.listSubjects(ref, { commit, count: commits.looked }),
    ])
    const paths = folders.flatMap((folder) => listed.flatMap(({ path }) => (isTemplate(path, folder) ? [path] : [])))
    const file = paths[0] === undefined ? null : await git.readFile(ref, fileOf(paths[0], commit))
    const like = subjects.filter(isConventional)
    return {
      template: file?.toString('utf8').trim() || null,
      areConventional: like.length >= commits.least && like.length * 2 > subjects.length,
    }
  } catch (error) {
    if (error instanceof HostError && error.isFinal) return null
    throw error
  }
}

const fileOf = (path: string, commit: string) => ({ path, commit, bytesMax: templateBytesMax })

/** In whichever case, as GitHub takes it. */
function isTemplate(path: string, folder: (typeof folders)[number]): boolean {
  const name = folder === '.' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''
  return /^pull_request_template(?:\.md|\.txt)?$/i.test(name)
}
