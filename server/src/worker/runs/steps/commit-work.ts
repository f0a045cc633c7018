import type { Answer } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Author } from '#base/own-author.ts'
import type { FoundSubmodule } from '#worker/runs/work-tree/find-submodules.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

export type CommitWork = {
  sandbox: Sandbox
  title: string
  answer: Answer
  by: Author
  /** Trailers of the commit message, such as `Co-authored-by: …`. */
  trailers: string[]
  /** Those of the work tree itself, and what they were at. */
  submodules: readonly FoundSubmodule[]
  startCommit: string | null
  /** Fixed, so that a repeat after a crash makes the same commit. */
  date: Date
  signal: AbortSignal
}

const commitMs = 5 * 60_000

/** `commit`: what the work tree stands at; null when there has never been one. `left`: submodules whose changes are in no commit. */
export type CommittedWork = { commit: string | null; left: string[] }

/**
 * Commits whatever the agent left in the work tree, inside the sandbox and with hooks off. A submodule is recorded at a
 * commit that its own repository has, and else stays at what it was: others could not check it out.
 */
export async function commitWork({
  sandbox,
  title,
  answer,
  by,
  trailers,
  submodules,
  startCommit,
  date,
  signal,
}: CommitWork): Promise<CommittedWork> {
  const own = submodules.filter(({ parent }) => parent === '')
  const mounted = own.map(({ path, mount }) => `${sandbox.paths.mounts[mount]}\t${path}\n`)
  const message = [title, answer.summary ?? '', trailers.join('\n')].filter(Boolean).join('\n\n')
  const result = await sandbox.exec({
    shell: `set -e
git="git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false"
# Also what was made outside of the folders to which the work tree is limited.
$git add -A --sparse
number=0
while IFS=$'\\t' read -r objects path; do
  number=$((number + 1))
  read -r mode now _ < <($git ls-files -s -- ":(literal)$path") || true
  [ "$mode" = 160000 ] || continue
  if ! GIT_OBJECT_DIRECTORY="$objects" git cat-file -e "$now^{commit}" 2> /dev/null; then
    read -r mode _ was _ < <($git ls-tree "$START" -- "$path") || true
    if [ "$mode" = 160000 ]; then $git update-index --cacheinfo "160000,$was,$path"; fi
    echo "left $number"
  elif [ -n "$($git -C "$path" status --porcelain 2> /dev/null | head -c 1)" ]; then echo "left $number"; fi
done < <(printf %s "$SUBMODULES")
if ! $git diff --cached --quiet --ignore-submodules=none; then $git commit -q --no-verify -F -; fi
$git rev-parse -q --verify HEAD || true`,
    stdin: `${message}\n`,
    env: {
      ...signatureOf('AUTHOR', by, date),
      ...signatureOf('COMMITTER', by, date),
      START: startCommit ?? 'HEAD',
      SUBMODULES: mounted.join(''),
    },
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
  const lines = result.stdout.toString().trim().split('\n')
  const commit = lines.at(-1) ?? ''
  const left = own.flatMap(({ path }, at) => (lines.includes(`left ${at + 1}`) ? [path] : []))
  return { commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : null, left }
}

function signatureOf(who: 'AUTHOR' | 'COMMITTER', { name, email }: Author, date: Date): Record<string, string> {
  return { [`GIT_${who}_NAME`]: name, [`GIT_${who}_EMAIL`]: email, [`GIT_${who}_DATE`]: date.toISOString() }
}
