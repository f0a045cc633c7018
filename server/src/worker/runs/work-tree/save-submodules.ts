import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { FoundSubmodule } from './find-submodules.ts'

/** The submodules of a work tree, as `saveSubmodules` reads them. */
export const submoduleLines = (sandbox: Sandbox, submodules: readonly FoundSubmodule[]): string =>
  submodules.map(({ path, mount }) => `${sandbox.paths.mounts[mount]}\t${path}\n`).join('')

/** The ref of a submodule that says at which commit we have checked it out. An agent that moves it saves more than it needs to. */
export const checkedOutRef = 'refs/runwright/checked-out'

/**
 * Sets `modules` to a tree of $OWN in which each submodule with changes has a file, named by the hash of its path: a line with a
 * commit of its whole work tree and the newest commit below that its repository has, then a pack of what lies between them. The
 * file is empty where there are changes that could not be packed. `none` where nothing was changed in any.
 */
export const saveSubmodules = `
in_objects() { GIT_OBJECT_DIRECTORY="$1" git cat-file --batch-check='%(objecttype) %(objectname)' | awk '$1 == "commit" { print $2 }'; }
pack_submodule() (
  set -e -o pipefail
  objects=$1 path=$2 at=$3
  [ -d "./$path/.git" ] && [ ! -L "./$path/.git" ] || exit 0
  [ "$(cd "./$path" && pwd -P)" = "$(pwd -P)/$path" ] || exit 0
  cd "./$path"
  mkdir -p "$at.objects/info"
  printf '%s\\n' "$PWD/.git/objects" "$objects" > "$at.objects/info/alternates"
  rm -f "$at.index"
  if [ -f .git/index ]; then cp .git/index "$at.index"; fi
  export GIT_DIR="$PWD/.git" GIT_WORK_TREE="$PWD" GIT_INDEX_FILE="$at.index" GIT_OBJECT_DIRECTORY="$at.objects"
  export GIT_AUTHOR_DATE='@0 +0000' GIT_COMMITTER_DATE='@0 +0000'
  own="git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.bigFileThreshold=8m -c pack.threads=1 -c pack.windowMemory=32m"
  { $own ls-files -z --others --exclude-standard; $own diff-files -z --name-only --ignore-submodules=all; } > "$at.changed"
  if [ -s "$at.changed" ]; then
    # It complains of files that are removed, and counts the others.
    bytes=$({ du -bc --files0-from="$at.changed" 2> /dev/null || true; } | tail -n 1 | cut -f 1)
    [ "$bytes" -le "$BYTES_MAX" ]
  fi
  $own add -A
  tree=$(git write-tree)
  head=$(git rev-parse -q --verify 'HEAD^{commit}')
  checked_out=$(git rev-parse -q --verify ${checkedOutRef} || true)
  if [ "$head $tree" = "$checked_out $(git rev-parse 'HEAD^{tree}')" ]; then exit 0; fi
  commit=$(git commit-tree "$tree" -p "$head" -m checkpoint < /dev/null)
  git rev-list -n 1000 "$head" | in_objects "$objects" > "$at.known"
  read -r base < "$at.known"
  { echo "$commit"; sed 's/^/^/' "$at.known"; } | $own pack-objects --revs --thin --stdout -q > "$at.pack"
  [ "$(stat -c %s "$at.pack")" -le "$BYTES_MAX" ]
  { echo "$commit $base"; cat "$at.pack"; }
)
saved= number=0
while IFS=$'\\t' read -r objects path; do
  number=$((number + 1))
  at="$OWN/module-$number"
  # As it was found the last time, where nothing in it has changed since.
  if [ ! -f "$at.mark" ] || [ -n "$(find "./$path" -cnewer "$at.mark" -print -quit 2> /dev/null)" ]; then
    echo > "$at.mark"
    # Within a condition the first fault in it would not end it.
    set +e
    pack_submodule "$objects" "$path" "$at" > "$at.saved" 2> /dev/null
    status=$?
    set -e
    found=
    if [ "$status" != 0 ]; then : > "$at.saved"; fi
    if [ "$status" != 0 ] || [ -s "$at.saved" ]; then found=1; fi
    blob=
    if [ -n "$found" ]; then blob=$(git hash-object -w --no-filters --stdin < "$at.saved"); fi
    echo "$blob" > "$at.blob"
    rm -f "$at.saved" "$at.pack"
  fi
  read -r blob < "$at.blob" || true
  if [ -n "$blob" ]; then saved="$saved"$'100644 blob '"$blob"$'\\t'"$(printf %s "$path" | git hash-object --stdin)"$'\\n'; fi
done < <(printf %s "$MODULES")
modules=none
if [ -n "$saved" ]; then modules=$(printf %s "$saved" | git mktree); fi`
