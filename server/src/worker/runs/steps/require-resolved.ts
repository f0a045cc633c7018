import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

export type RequireResolved = {
  sandbox: Sandbox
  facts: Pick<TurnFacts, 'entry'>
  /** Where the turn began, and what is about to be pushed. */
  from: string | null
  commit: string | null
  signal: AbortSignal
}

const lookMs = 60_000

/**
 * Of a turn that was to resolve conflicts: throws a `RunFailure` where its commit holds conflict markers that neither the branch
 * nor its base had before.
 */
export async function requireResolved({ sandbox, facts, from, commit, signal }: RequireResolved): Promise<void> {
  const observation = facts.entry?.observation
  if (typeof observation !== 'object' || from === null || commit === null) return
  const { conflicts_with: base } = observation
  if (typeof base !== 'string') return
  const { stdout } = await sandbox.exec({
    shell: `markers() { git -c core.whitespace= diff --check "$1" "$commit" | grep 'leftover conflict marker' | sort; }
base=$(git merge-base "$commit" "refs/remotes/origin/$base" 2>/dev/null || echo "$from")
comm -12 <(markers "$from") <(markers "$base") | head -n 5`,
    env: { commit, from, base },
    timeoutMs: lookMs,
    signal,
  }).result
  const found = stdout.toString().trim()
  if (!found) return
  const places = found.split('\n').map((line) => line.split(': leftover', 1)[0])
  throw new RunFailure('conflicts_left', `Conflict markers are left in ${places.join(', ')}. Nothing was pushed.`)
}
