import type { Answer } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Author } from '#base/own-author.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

export type CommitWork = {
  sandbox: Sandbox
  title: string
  answer: Answer
  by: Author
  /** Trailers of the commit message, such as `Co-authored-by: …`. */
  trailers: string[]
  /** Fixed, so that a repeat after a crash makes the same commit. */
  date: Date
  signal: AbortSignal
}

const commitMs = 5 * 60_000

/**
 * Commits whatever the agent left in the work tree, inside the sandbox and with hooks off, and answers the commit that
 * the work tree stands at; null when there has never been one.
 */
export async function commitWork({
  sandbox,
  title,
  answer,
  by,
  trailers,
  date,
  signal,
}: CommitWork): Promise<string | null> {
  const message = [title, answer.summary ?? '', trailers.join('\n')].filter(Boolean).join('\n\n')
  const result = await sandbox.exec({
    shell: `set -e
git="git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false"
$git add -A
if [ -n "$($git status --porcelain --untracked-files=no)" ]; then $git commit -q --no-verify -F -; fi
$git rev-parse -q --verify HEAD || true`,
    stdin: `${message}\n`,
    env: { ...signatureOf('AUTHOR', by, date), ...signatureOf('COMMITTER', by, date) },
    timeoutMs: commitMs,
    signal,
  }).result
  signal.throwIfAborted()
  if (result.reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while the work was committed.', { retryable: true })
  if (result.exitCode !== 0) {
    throw new RunFailure(
      'commit_failed',
      `The work could not be committed: ${result.output.toString().trim().slice(-1_000) || result.reason}`,
    )
  }
  const commit = result.stdout.toString().trim()
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : null
}

function signatureOf(who: 'AUTHOR' | 'COMMITTER', { name, email }: Author, date: Date): Record<string, string> {
  return { [`GIT_${who}_NAME`]: name, [`GIT_${who}_EMAIL`]: email, [`GIT_${who}_DATE`]: date.toISOString() }
}
