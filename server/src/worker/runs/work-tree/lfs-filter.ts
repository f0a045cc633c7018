/**
 * What git inside a sandbox turns large files (Git LFS) into pointers with, and back: only there, where whatever a repository's
 * attributes name can be run. A file whose content is not at hand stays a pointer. New content is kept as Git LFS keeps it, for the
 * worker to fetch.
 */
export const lfsFilter = `set -e
own=$(git rev-parse --absolute-git-dir)/lfs
mkdir -p "$own/tmp"
file=$(mktemp "$own/tmp/XXXXXXXX")
trap 'rm -f "$file"' EXIT
cat > "$file"
at() { echo "objects/$(echo "$1" | cut -c 1-2)/$(echo "$1" | cut -c 3-4)/$1"; }
is_pointer() { [ "$(stat -c %s "$file")" -le 1024 ] && head -c 42 "$file" | grep -q '^version https://git-lfs.github.com/spec/v1$'; }
if [ "$1" = smudge ]; then
  if is_pointer; then
    oid=$(sed -n 's/^oid sha256:\\([0-9a-f]\\{64\\}\\)$/\\1/p' "$file")
    for place in "$own" "$2"; do
      if [ -n "$oid" ] && [ -f "$place/$(at "$oid")" ]; then cat "$place/$(at "$oid")"; exit 0; fi
    done
  fi
  cat "$file"
elif is_pointer || [ ! -s "$file" ]; then cat "$file"
else
  oid=$(sha256sum "$file" | cut -c 1-64)
  size=$(stat -c %s "$file")
  if [ ! -f "$2/$(at "$oid")" ]; then
    mkdir -p "$(dirname "$own/$(at "$oid")")"
    mv "$file" "$own/$(at "$oid")"
  fi
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$oid" "$size"
fi
`
