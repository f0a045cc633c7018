import { HostError, type HostComment, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { findHunk } from '#base/text/find-hunk.ts'
import type { Subject } from './read-subject.ts'

/** Comments on lines, each with the part of the diff that it is about, also where its host does not give that. */
export async function addHunks(
  { hosts }: Pick<App, 'hosts'>,
  { repo, subject: { pull }, comments }: { repo: RepoRef; subject: Subject; comments: readonly HostComment[] },
): Promise<HostComment[]> {
  const diffs = new Map<string, string>()
  const diffAt = async (head: string, base: string) => {
    const known = diffs.get(head)
    if (known !== undefined) return known
    const diff = await hosts.git(repo).diff(repo, { base, head, bytesMax: limits.diffBytesMax }).catch(emptyIfGone)
    diffs.set(head, diff)
    return diff
  }
  const found: HostComment[] = []
  for (const comment of comments) {
    const { line } = comment
    if (!pull || !line || line.hunk !== undefined) found.push(comment)
    else {
      const hunk = findHunk(await diffAt(line.commit ?? pull.head.commit, pull.base.branch), line)
      found.push(hunk === null ? comment : { ...comment, line: { ...line, hunk } })
    }
  }
  return found
}

/** The comment may be older than what is kept; its words are worth reading all the same. */
function emptyIfGone(error: unknown): string {
  if (error instanceof HostError && error.isFinal) return ''
  throw error
}
