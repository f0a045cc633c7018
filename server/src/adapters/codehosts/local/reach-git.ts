import { GitHostUnreachable } from '#adapters/codehosts/code-host.ts'
import { complaintOf, runGit } from './run-git.ts'

const reachMs = 2_500

/**
 * Whether git reaches the host at this address, by the way that it fetches by: a name, a route, a certificate. It is asked
 * for a repository that is not there; that it refuses is an answer.
 */
export async function reachGit(gitUrl: string): Promise<void> {
  const { stderr, exitCode } = await runGit({
    arguments: ['ls-remote', '--end-of-options', `${gitUrl}/git/0/reachable.git`],
    protocols: ['http', 'https'],
    timeoutMs: reachMs,
  })
  if (exitCode === 0 || !isTransportFault(stderr)) return
  throw new GitHostUnreachable(`The repositories cannot be reached at RUNWRIGHT_GIT_URL: ${complaintOf(stderr)}.`)
}

/** Git could not speak with the host at all, or the host had a fault of its own; not that it refused. */
export function isTransportFault(stderr: string): boolean {
  if (/: The requested URL returned error: 4\d\d/.test(stderr)) return false
  return /^fatal: unable to access |^error: RPC failed; (HTTP 5|curl )/m.test(stderr)
}
