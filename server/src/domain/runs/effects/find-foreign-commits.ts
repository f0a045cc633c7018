import type { Push } from './list-pushes.ts'

/**
 * The commits of others that a run's branch holds: where the run found it, again and again, without having moved it there
 * itself. What the run pushed it may rewrite; these it may not lose.
 */
export function findForeignCommits(pushes: Pick<Push, 'commit' | 'expected'>[], at: string | null): string[] {
  const [own, foreign] = [new Set<string>(), new Set<string>()]
  for (const { commit, expected } of [...pushes, { commit: null, expected: at }]) {
    if (expected !== null && !own.has(expected)) foreign.add(expected)
    // To push again what others have pushed makes it nobody's own.
    if (commit !== null && !foreign.has(commit)) own.add(commit)
  }
  return [...foreign]
}
