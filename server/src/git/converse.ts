import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { feed } from './feed.ts'

/** Git's own server program at work; see the host. */
export type RunningGit = {
  stdin: Writable
  stdout: Readable
  ended: Promise<{ exitCode: number | null; stderr: string }>
}

/**
 * Hands the body to git and its answer to the client, both as they come. The answer is left open. Rejects with what is
 * wrong with the body; then git is stopped by `stop`.
 */
export async function converse(
  git: RunningGit,
  { body, answer, stop }: { body: AsyncIterable<Buffer>; answer: Writable; stop: AbortController },
): Promise<{ exitCode: number | null; stderr: string }> {
  const fed = feed(body, git.stdin).catch((error: unknown) => {
    stop.abort()
    throw error
  })
  const sent = pipeline(git.stdout, answer, { end: false })
  const [feeding, sending] = await Promise.allSettled([fed, sent])
  const end = await git.ended
  if (feeding.status === 'rejected') throw feeding.reason
  if (sending.status === 'rejected') throw sending.reason
  return end
}
