import { GitHostUnreachable } from '#adapters/codehosts/code-host.ts'
import { complaintOf, runGit } from './run-git.ts'

/** Less than a look at a machine may take, so that it says what is wrong. Where every process waits for its turn, git takes seconds. */
const reachMs = 9_000

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
  const lines = stderr.split(/[\n\r\u2028\u2029]/)
  if (lines.some(isRefusal)) return false
  return lines.some((line) => faultBeginnings.some((beginning) => line.startsWith(beginning)))
}

const unreachable = 'fatal: unable to access '
const faultBeginnings = [unreachable, 'error: RPC failed; HTTP 5', 'error: RPC failed; curl ']

/** The same line says both: what a remote says stands in lines of its own, and cannot pass for this. */
const isRefusal = (line: string) =>
  line.startsWith(unreachable) && /: The requested URL returned error: 4\d\d/.test(line)
