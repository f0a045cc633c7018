import { limits } from '#base/limits.ts'
import { converse } from './converse.ts'
import { upTo } from './git-request.ts'
import type { ServeGit, Visit } from './visit.ts'

/** Answers what a client wants to fetch. Gives how git has ended. */
export async function serveFetch(
  { parts, repo, protocol, answer, stop, readBody }: Visit,
  part: ServeGit['part'],
): Promise<{ exitCode: number | null; stderr: string }> {
  const body = upTo(limits.gitRequestBytesMax, readBody())
  const git = await parts.serveGit(repo, { ...reading(stop), service: 'upload-pack', part, protocol })
  answer.begin('application/x-git-upload-pack-result')
  return converse(git, { body, answer: answer.stream, stop })
}

/** What only looks may change nothing. */
export const reading = (stop: AbortController) => ({ allowForce: false, allowDelete: false, signal: stop.signal })
