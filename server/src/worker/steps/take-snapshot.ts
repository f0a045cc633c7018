import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { objectsIn } from './objects-in.ts'

export type TakeSnapshot = {
  sandbox: Sandbox
  /** The commit of the last snapshot that was stored; null: none is known. */
  known: string | null
  signal: AbortSignal
}

/** A commit of the whole work tree, in a repository of its own beside the workspace's; null: as in the known one. */
export type Snapshot = { commit: string; gitFolder: string } | null

/** Why there is none, in words for the operator. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot'
}

/**
 * Commits the work tree as it stands, with new files and without ignored ones, inside the sandbox. The agent's index,
 * branches and settings are read, never written: index, objects and settings are ours, in the agent's home. Nested
 * repositories are left out, as git leaves them out. What changed since the known snapshot is asked of the file system
 * first, by the time that a process cannot set.
 */
export async function takeSnapshot({ sandbox, known, signal }: TakeSnapshot): Promise<Snapshot> {
  const gitFolder = `${sandbox.paths.home}/.runwright/checkpoint`
  const { exitCode, reason, stdout, stderr } = await sandbox.exec({
    shell: script,
    env: {
      OWN: gitFolder,
      OBJECTS: objectsIn(sandbox),
      KNOWN: known ?? '',
      BYTES_MAX: String(limits.checkpointBytesMax),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_NO_REPLACE_OBJECTS: '1',
      ...asUs,
    },
    timeoutMs: limits.checkpointMs,
    outputBytesMax: 16 * 1024,
    signal,
  }).result
  signal.throwIfAborted()
  if (exitCode !== 0) throw new NoSnapshot(stderr.toString().trim().slice(-500) || reason)
  const commit = stdout.toString().trim()
  if (!commit) return null
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new NoSnapshot('git answered something else than a commit')
  return { commit, gitFolder }
}

const asUs = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Runwright'],
    [`GIT_${who}_EMAIL`, 'agent@runwright.invalid'],
  ]),
)

const script = `set -e
fail() { echo "$1" >&2; exit 64; }
[ -d .git ] && [ ! -L .git ] || fail 'the workspace is no repository any more'
read -r tree head commit 2>/dev/null < "$OWN/state" || true
if [ -n "$KNOWN" ] && [ "$commit" = "$KNOWN" ]; then
  changed=$(find . .git/HEAD .git/logs/HEAD .git/refs .git/packed-refs -path ./.git -prune -o -cnewer "$OWN/mark" -print -quit 2>/dev/null || true)
  [ -n "$changed" ] || exit 0
else
  tree=
  rm -rf "$OWN"
  mkdir -p "$HOME/.runwright"
  git init -q --bare --template= "$OWN"
  mkdir -p "$OWN/objects/info"
  printf '%s\\n' "$OBJECTS" "$PWD/.git/objects" > "$OWN/objects/info/alternates"
fi
touch "$OWN/mark"
head_now=$(git rev-parse -q --verify 'HEAD^{commit}' || echo -)
# Every snapshot begins with the agent's index, so nothing of an earlier one is needed.
rm -rf "$OWN"/objects/??
cp .git/index "$OWN/index" 2>/dev/null || rm -f "$OWN/index"
export GIT_DIR="$OWN" GIT_WORK_TREE="$PWD"
git ls-files -z --others --exclude-standard | grep -zv '/$' > "$OWN/new" || true
{ cat "$OWN/new"; git ls-files -z --modified; } > "$OWN/changed"
if [ -s "$OWN/changed" ]; then
  bytes=$(du -bc --files0-from="$OWN/changed" 2>/dev/null | tail -n 1 | cut -f 1)
  [ "$bytes" -le "$BYTES_MAX" ] || fail "the changed files are larger than $BYTES_MAX bytes"
  git add -u
  git update-index -z --add --replace --stdin < "$OWN/new"
fi
tree_now=$(git write-tree)
if [ "$tree_now $head_now" = "$tree $head" ]; then exit 0; fi
if [ "$head_now" = - ]; then parent=; else parent="-p $head_now"; fi
commit_now=$(git commit-tree "$tree_now" $parent -m checkpoint)
echo "$tree_now $head_now $commit_now" > "$OWN/state"
echo "$commit_now"`
