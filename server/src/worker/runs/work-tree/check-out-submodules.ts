import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Entry } from '#base/entry.ts'
import type { FoundSubmodule, LeftSubmodule, Submodules } from './find-submodules.ts'
import { checkedOutRef } from './save-submodules.ts'

const checkOutMs = 10 * 60_000

/** `changes`: what became of those that a checkpoint has, where the work tree is made of one. */
type CheckedOutSubmodule = FoundSubmodule & { commit: string; changes: string }

export type CheckOutSubmodules = Submodules & {
  /** Of a whole work tree that was taken instead of a commit: what it has of submodules goes first. */
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
        FULL_PATH: path,
        OWN_PATH: parent === '' ? path : path.slice(parent.length + 1),
        OBJECTS: sandbox.paths.mounts[mount] ?? '',
        SNAPSHOT: snapshot ?? '',
      },
      timeoutMs: checkOutMs,
      signal,
    }).result
    signal.throwIfAborted()
    if (result.reason === 'sandbox_lost')
      throw new EngineError('sandbox_lost', 'The sandbox ended while submodules were checked out.', { retryable: true })
    const [commit = '', changes = ''] = result.stdout.toString().trim().split('\n')
    if (result.exitCode === 0) done.push({ ...submodule, commit, changes })
    else if (result.exitCode === missing)
      empty.push({ path, why: `${repository} has no commit ${commit.slice(0, 40)}: push it there.` })
    else if (result.exitCode !== noSubmodule)
      empty.push({ path, why: `It could not be checked out: ${result.stderr.toString().trim().slice(-300)}` })
  }
  return tell({ done, empty })
}

function tell({ done, empty }: { done: CheckedOutSubmodule[]; empty: LeftSubmodule[] }) {
  const changed = (what: string) => done.filter(({ changes }) => changes === what).map(({ path }) => path)
  const [restored, lost] = [changed('restored'), changed('lost')]
  const sentences = [
    ...(done.length
      ? [`${done.length === 1 ? 'One submodule is' : `${done.length} submodules are`} checked out.`]
      : []),
    ...(restored.length ? [`What was changed inside ${restored.join(', ')} is there again.`] : []),
    ...(lost.length ? [`What was changed inside ${lost.join(', ')} before is lost.`] : []),
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

/**
 * A folder on the way that is a link leads elsewhere; git makes none where it records a submodule. Files are as the checkpoint has
 * them, and HEAD and index as the commit below: what was changed is changed again.
 */
const script = `set -e
git="git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c advice.detachedHead=false"
root=$PWD
is_here() { GIT_OBJECT_DIRECTORY="$OBJECTS" git cat-file -e "$1^{commit}" 2> /dev/null; }
changes= own= commit=
if [ -n "$SNAPSHOT" ]; then
  modules=$(git log -1 --format=%b "$SNAPSHOT" | sed -n 's/^submodules //p')
  name=$(printf %s "$FULL_PATH" | git hash-object --stdin)
  if [ -z "$modules" ]; then changes=lost
  elif saved=$(git rev-parse -q --verify "$modules:$name" 2> /dev/null); then
    changes=lost
    IFS=' ' read -r own commit < <(git cat-file blob "$saved") || true
    [[ "$own $commit" =~ ^[0-9a-f]{40}[[:space:]][0-9a-f]{40}$ ]] && is_here "$commit" || own= commit=
  fi
fi
cd "./$PARENT"
if [ -z "$commit" ]; then
  [ -z "$PARENT" ] || SNAPSHOT=
  is_found=
  for tree in $SNAPSHOT HEAD; do
    read -r mode _ commit _ < <(git ls-tree "$tree" -- "$OWN_PATH") || true
    [ "$mode" = 160000 ] || exit ${noSubmodule}
    if is_here "$commit"; then is_found=1; break; fi
  done
  if [ -z "$is_found" ]; then echo "$commit"; exit ${missing}; fi
fi
echo "$commit"
mkdir -p "./$OWN_PATH"
[ "$(cd "./$OWN_PATH" && pwd -P)" = "$(pwd -P)/$OWN_PATH" ] || exit ${noSubmodule}
cd "./$OWN_PATH"
git init -q --template= .
echo "$OBJECTS" > .git/objects/info/alternates
$git checkout -q --force --detach "$commit"
if [ -z "$own" ]; then git update-ref ${checkedOutRef} "$commit"; echo "$changes"; exit; fi
if git -C "$root" cat-file blob "$saved" | { read -r _; git index-pack --strict --fix-thin --stdin; } > /dev/null 2>&1 \
  && $git read-tree --reset -u "$own" && git update-ref --no-deref HEAD "$own^" && git read-tree "$own^"; then
  git update-index -q --refresh || true
  echo restored
else
  $git checkout -q --force --detach "$commit"
  echo lost
fi`
