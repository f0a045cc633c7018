import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { ownAuthor } from '#base/own-author.ts'
import type { FoundSubmodule } from '#worker/runs/work-tree/find-submodules.ts'
import { objectsIn } from '#worker/runs/work-tree/objects-in.ts'
import { agentHomesBytesMax, saveAgentHomes } from '#worker/runs/work-tree/agent-homes.ts'
import { saveSubmodules, submoduleLines } from '#worker/runs/work-tree/save-submodules.ts'

export type TakeSnapshot = {
  sandbox: Sandbox
  /** Those of the work tree, whose changes are saved with it. */
  submodules?: readonly FoundSubmodule[]
  /** The commit of the last snapshot that was stored; null: none is known. */
  known: string | null
  /** Of the files that have changed, as they lie there. */
  bytesMax?: number
  signal: AbortSignal
}

/**
 * A commit of the whole work tree, in a repository of its own beside the workspace's; null: as in the known one. `also`: objects
 * with what was changed inside submodules and with the homes of agents, as far as there are any; the commit's message names them.
 */
export type Snapshot = { commit: string; also: string[]; gitFolder: string } | null

/** Why there is none, in words for the operator. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot'
}

/**
 * Commits the work tree as it stands, with new files and without ignored ones, inside the sandbox. The agent's index,
 * branches and settings are read, never written: index, objects and settings are ours, in the sandbox's home. Nested
 * repositories are left out, as git leaves them out. What changed since the known snapshot is asked of the file system
 * first, by the time that a process cannot set.
 */
export async function takeSnapshot({
  sandbox,
  submodules = [],
  known,
  bytesMax = limits.checkpointBytesMax,
  signal,
}: TakeSnapshot): Promise<Snapshot> {
  const gitFolder = `${sandbox.paths.home}/.runwright/checkpoint`
  const { exitCode, reason, stdout, stderr } = await sandbox.exec({
    shell: script,
    env: {
      OWN: gitFolder,
      OBJECTS: objectsIn(sandbox),
      KNOWN: known ?? '',
      BYTES_MAX: String(bytesMax),
      MODULES: submoduleLines(sandbox, submodules),
      HOMES_BYTES_MAX: String(Math.min(bytesMax, agentHomesBytesMax)),
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
  const answer = stdout.toString().trim()
  if (!answer) return null
  const [, commit, ...named] = /^([0-9a-f]{40}) ([0-9a-f]{40}|none) ([0-9a-f]{40}|none)$/.exec(answer) ?? []
  if (commit === undefined) throw new NoSnapshot('git answered something else than a commit')
  return { commit, also: named.filter((name) => name !== 'none'), gitFolder }
}

const asUs = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, ownAuthor.name],
    [`GIT_${who}_EMAIL`, ownAuthor.email],
  ]),
)

/** Every program that is started costs more than what it does, so the usual way needs four: find, and three of git. */
const script = `set -e
fail() { echo "$1" >&2; exit 64; }
[ -d .git ] && [ ! -L .git ] || fail 'the workspace is no repository any more'
read -r tree head commit total modules_before homes_before 2>/dev/null < "$OWN/state" || true
is_known= bytes=0 any= has_moved=
if [ -n "$KNOWN" ] && [ "$commit" = "$KNOWN" ]; then
  while read -r size; do
    any=1
    if [ "$size" = moved ]; then has_moved=1; else bytes=$((bytes + size)); fi
  done < <(find . .git/HEAD .git/logs/HEAD .git/refs .git/packed-refs -path ./.git -prune -o -cnewer "$OWN/mark" \
    \\( -path '.git/*' -printf 'moved\\n' -o -printf '%s\\n' \\) 2>/dev/null)
  if [ -z "$any" ]; then
    [ -d "$HOME/.agents" ] || exit 0
    [ -n "$(find "$HOME/.agents" -name .cache -prune -o -type f -cnewer "$OWN/mark" -print -quit 2>/dev/null)" ] || exit 0
  fi
  total=$((total + bytes))
  # What is large is looked at more closely, and objects that no snapshot needs any more are thrown away.
  [ "$bytes" -gt "$BYTES_MAX" ] || [ "$total" -gt $((4 * BYTES_MAX)) ] || is_known=1
fi
if [ -z "$is_known" ]; then
  tree= has_moved=1 total=0
  rm -rf "$OWN"
  mkdir -p "$HOME/.runwright"
  git init -q --bare --template= "$OWN"
  mkdir -p "$OWN/objects/info"
  printf '%s\\n' "$OBJECTS" "$PWD/.git/objects" > "$OWN/objects/info/alternates"
  # What the setup has left is no work.
  # The agent's programs need the sandbox's memory more.
  printf '[core]\\n bigFileThreshold = 8m\\n excludesFile = "%s"\\n[pack]\\n threads = 1\\n windowMemory = 32m\\n' "$HOME/.runwright/excluded" >> "$OWN/config"
  # Files that a limited work tree leaves out are not removed, and those that are there all the same are looked at.
  if [ -f .git/info/sparse-checkout ]; then
    mkdir -p "$OWN/info"
    cp .git/info/sparse-checkout "$OWN/info/"
    printf '[core]\\n sparseCheckout = true\\n sparseCheckoutCone = true\\n' >> "$OWN/config"
  fi
fi
echo > "$OWN/mark"
if [ -n "$has_moved" ]; then head_now=$(git rev-parse -q --verify 'HEAD^{commit}' || echo -); else head_now=$head; fi
# With the agent's index come files that are tracked although they are ignored.
if [ ! -f .git/index ]; then rm -f "$OWN/index"; elif [ ! .git/index -ot "$OWN/index" ]; then cp .git/index "$OWN/index"; fi
export GIT_DIR="$OWN" GIT_WORK_TREE="$PWD"
add_closely() {
  git ls-files -z --others --exclude-standard | grep -zv '/$' > "$OWN/new" || true
  { cat "$OWN/new"; git diff-files -z --name-only --ignore-submodules=all; } > "$OWN/changed"
  [ -s "$OWN/changed" ] || return 0
  bytes=$(du -bc --files0-from="$OWN/changed" 2>/dev/null | tail -n 1 | cut -f 1)
  [ "$bytes" -le "$BYTES_MAX" ] || fail "the changed files are larger than $BYTES_MAX bytes"
  git add -u --sparse
  git update-index -z --add --replace --stdin < "$OWN/new"
}
# Git itself gives up at a nested repository without a commit.
if [ -z "$is_known" ] || ! git add -A --sparse 2>/dev/null; then add_closely; fi
tree_now=$(git write-tree)
${saveSubmodules}
${saveAgentHomes}
if [ "$tree_now $head_now $modules $homes" = "$tree $head $modules_before $homes_before" ]; then exit 0; fi
if [ "$head_now" = - ]; then parent=; else parent="-p $head_now"; fi
commit_now=$(git commit-tree "$tree_now" $parent -m checkpoint -m "submodules $modules" -m "homes $homes" < /dev/null)
echo "$tree_now $head_now $commit_now $total $modules $homes" > "$OWN/state"
echo "$commit_now $modules $homes"`
