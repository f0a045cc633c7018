import { EngineError } from '#adapters/engines/engine.ts'
import type { ExecRequest, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { WorkPaths } from '#domain/repos/work-paths.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { restoreAgentHomes } from './agent-homes.ts'
import { objectsIn } from './objects-in.ts'

export type CheckOut = {
  branch: string
  baseBranch: string
  baseCommit: string | null
  /** Where git inside reaches the repository; nowhere when not given. */
  origin?: string | null
  /** Where the run's branch begins; null: there is no commit yet. */
  commit: string | null
  /** A whole work tree to take instead, with changes that are in no commit of the branch yet. */
  snapshot: { commit: string; pack: Buffer } | null
  /** To which folders it is limited; with none, it holds everything. */
  paths?: WorkPaths
  signal: AbortSignal
}

/** The tree without files, which every repository of git knows. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const cloneMs = 10 * 60_000

/**
 * Makes the work tree in an empty workspace, inside the sandbox. The repository's objects are read, not copied. Answers whether
 * the homes of agents are there again as the snapshot has them.
 */
export async function checkOut(sandbox: Sandbox, request: CheckOut): Promise<{ hasHomes: boolean }> {
  const { branch, baseBranch, baseCommit, origin, commit, snapshot, paths = [], signal } = request
  await run(sandbox, signal, {
    shell: `set -e
git init -q -b "$BRANCH" .
echo "$OBJECTS" > .git/objects/info/alternates
mkdir -p .git/info
echo '/.runwright/' >> .git/info/exclude
if [ -n "$PATHS" ]; then printf '%s\\n' "$PATHS" | git sparse-checkout set --cone --skip-checks --stdin; fi
if [ -n "$ORIGIN" ]; then git remote add origin "$ORIGIN"; git config push.default current; fi
if [ -n "$BASE_COMMIT" ]; then git update-ref "refs/remotes/origin/$BASE_BRANCH" "$BASE_COMMIT"; fi
if [ -n "$COMMIT" ]; then git update-ref "refs/heads/$BRANCH" "$COMMIT"; fi
if [ -n "$COMMIT" ] && [ -z "$SNAPSHOT" ]; then git -c core.hooksPath=/dev/null reset -q --hard; fi`,
    env: {
      BRANCH: branch,
      OBJECTS: objectsIn(sandbox),
      ORIGIN: origin ?? '',
      BASE_BRANCH: baseBranch,
      BASE_COMMIT: baseCommit ?? '',
      COMMIT: commit ?? '',
      SNAPSHOT: snapshot?.commit ?? '',
      PATHS: paths.join('\n'),
    },
    timeoutMs: cloneMs,
  })
  const unpacked = snapshot && (await unpack(sandbox, { branch, snapshot, signal }))
  return { hasHomes: unpacked?.endsWith('homes\n') ?? false }
}

type Unpack = { branch: string; snapshot: { commit: string; pack: Buffer }; signal: AbortSignal }

/** Files as the snapshot has them, branch and index as its parent has them: what was changed is changed again. */
async function unpack(sandbox: Sandbox, { branch, snapshot, signal }: Unpack): Promise<string> {
  return run(sandbox, signal, {
    shell: `set -e
git index-pack --strict --fix-thin --stdin > /dev/null
git -c core.hooksPath=/dev/null read-tree --reset -u "$SNAPSHOT"
parent=$(git rev-parse -q --verify "$SNAPSHOT^" || true)
if [ -n "$parent" ]; then git update-ref "refs/heads/$BRANCH" "$parent"; git read-tree "$parent"
else git update-ref -d "refs/heads/$BRANCH"; git read-tree --empty; fi
# What a limited work tree leaves out is missing from the files, and not removed; what was changed there all the same is.
if [ -f .git/info/sparse-checkout ]; then
  git sparse-checkout reapply
  differ="git diff-tree -r -z --no-renames --name-only \${parent:-$EMPTY} $SNAPSHOT"
  $differ --diff-filter=AMT > .git/changed
  if [ -s .git/changed ]; then
    git -c core.hooksPath=/dev/null --literal-pathspecs restore --worktree --ignore-skip-worktree-bits \\
      --source="$SNAPSHOT" --pathspec-from-file=.git/changed --pathspec-file-nul
  fi
  $differ --diff-filter=D | git update-index -z --no-skip-worktree --stdin
  rm .git/changed
fi
git update-index -q --refresh || true
${restoreAgentHomes}`,
    stdin: snapshot.pack,
    env: { BRANCH: branch, SNAPSHOT: snapshot.commit, EMPTY: emptyTree },
    timeoutMs: cloneMs,
  })
}

/** Answers what it printed. */
async function run(sandbox: Sandbox, signal: AbortSignal, request: ExecRequest): Promise<string> {
  const result = await sandbox.exec({ ...request, signal }).result
  signal.throwIfAborted()
  if (result.exitCode === 0) return result.stdout.toString()
  if (result.reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while the code was checked out.', { retryable: true })
  throw new RunFailure(
    'checkout_failed',
    `The code could not be checked out: ${result.output.toString().trim().slice(-1_000) || result.reason}`,
  )
}
