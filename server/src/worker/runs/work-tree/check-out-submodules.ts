import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Entry } from '#base/entry.ts'
import type { FoundSubmodule, LeftSubmodule, Submodules } from './find-submodules.ts'

const checkOutMs = 10 * 60_000

export type CheckedOutSubmodule = FoundSubmodule & { commit: string }

export type CheckOutSubmodules = Submodules & {
  /** Of a whole work tree that was taken instead of a commit: what it records of submodules goes first. */
  snapshot: string | null
  signal: AbortSignal
}

/**
 * Checks submodules out in a work tree that was just made, inside the sandbox, each as a repository of its own over objects
 * that are read, not copied, and that knows no address. Git runs no hooks, and reads no settings of the repository.
 * Answers what the log tells of it; null where there are none.
 */
export async function checkOutSubmodules(
  sandbox: Sandbox,
  { found, left, snapshot, signal }: CheckOutSubmodules,
): Promise<Entry | null> {
  if (found.length === 0 && left.length === 0) return null
  const done: CheckedOutSubmodule[] = []
  const empty: LeftSubmodule[] = [...left]
  for (const submodule of found) {
    const { path, parent, mount, repository } = submodule
    const result = await sandbox.exec({
      shell: script,
      env: {
        PARENT: parent,
        OWN_PATH: parent === '' ? path : path.slice(parent.length + 1),
        OBJECTS: sandbox.paths.mounts[mount] ?? '',
        SNAPSHOT: parent === '' ? (snapshot ?? '') : '',
      },
      timeoutMs: checkOutMs,
      signal,
    }).result
    signal.throwIfAborted()
    if (result.reason === 'sandbox_lost')
      throw new EngineError('sandbox_lost', 'The sandbox ended while submodules were checked out.', { retryable: true })
    const commit = result.stdout.toString().trim()
    if (result.exitCode === 0) done.push({ ...submodule, commit })
    else if (result.exitCode === missing)
      empty.push({ path, why: `${repository} has no commit ${commit.slice(0, 40)}: push it there.` })
    else if (result.exitCode !== noSubmodule)
      empty.push({ path, why: `It could not be checked out: ${result.stderr.toString().trim().slice(-300)}` })
  }
  return tell({ done, empty, isRestored: snapshot !== null })
}

function tell({
  done,
  empty,
  isRestored,
}: {
  done: CheckedOutSubmodule[]
  empty: LeftSubmodule[]
  isRestored: boolean
}) {
  const sentences = [
    ...(done.length
      ? [`${done.length === 1 ? 'One submodule is' : `${done.length} submodules are`} checked out.`]
      : []),
    ...(isRestored && done.length ? ['What was changed in their files before is lost.'] : []),
    ...empty.map(({ path, why }) => `${path} is left empty. ${why}`),
  ]
  const entry: Entry = {
    messageType: 'ACTION',
    toolName: 'submodules',
    toolOutput: {
      checked_out: done.map(({ path, repository, commit }) => ({ path, repository, commit })),
      left_empty: empty.map(({ path, why }) => ({ path, reason: why })),
    },
    observation: sentences.join('\n'),
  }
  return sentences.length ? entry : null
}

const missing = 64
const noSubmodule = 65

/** A folder on the way that is a link leads elsewhere; git makes none where it records a submodule. */
const script = `set -e
git="git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c advice.detachedHead=false"
cd "./$PARENT"
commit=
for tree in $SNAPSHOT HEAD; do
  read -r mode _ commit _ < <(git ls-tree "$tree" -- "$OWN_PATH") || true
  [ "$mode" = 160000 ] || exit ${noSubmodule}
  is_here=
  if GIT_OBJECT_DIRECTORY="$OBJECTS" git cat-file -e "$commit^{commit}" 2> /dev/null; then is_here=1; break; fi
done
echo "$commit"
[ -n "$is_here" ] || exit ${missing}
mkdir -p "./$OWN_PATH"
[ "$(cd "./$OWN_PATH" && pwd -P)" = "$(pwd -P)/$OWN_PATH" ] || exit ${noSubmodule}
cd "./$OWN_PATH"
git init -q --template= .
echo "$OBJECTS" > .git/objects/info/alternates
$git checkout -q --force --detach "$commit"`
