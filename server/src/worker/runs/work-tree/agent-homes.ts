/** What is larger is a cache that does not say so, and stays behind. */
export const agentHomesBytesMax = 32 * 1024 * 1024

/**
 * Sets `homes` to a blob of $OWN: an archive of what agents that people use keep in their homes, so that their sessions go
 * where the work tree goes. `none` where there are none, or where they are larger than $HOMES_BYTES_MAX. Caches are left
 * out. What an agent writes at that moment may be saved half written: it then begins a new session.
 */
export const saveAgentHomes = `
save_homes() (
  set -e
  cd "$HOME/.agents"
  bytes=$(find . -name .cache -prune -o -type f -printf '%s\\n' | awk '{ n += $1 } END { print n + 0 }')
  [ "$bytes" -gt 0 ] && [ "$bytes" -le "$HOMES_BYTES_MAX" ]
  # It ends with 1 where a file has changed meanwhile.
  tar --sort=name --exclude=.cache -cf "$OWN/homes" . || [ $? = 1 ]
  git hash-object -w --no-filters --stdin < "$OWN/homes"
)
homes=none
if [ -d "$HOME/.agents" ]; then
  # Within a condition the first fault in it would not end it.
  set +e
  homes=$(save_homes 2> /dev/null)
  status=$?
  set -e
  if [ "$status" != 0 ]; then homes=none; fi
  rm -f "$OWN/homes"
fi`

/** Puts back what the checkpoint $SNAPSHOT holds of the homes of agents, and prints `homes` where it does. */
export const restoreAgentHomes = `
homes=$(git log -1 --format=%b "$SNAPSHOT" | sed -n 's/^homes //p' | tail -n 1)
if [ -n "$homes" ] && [ "$homes" != none ]; then
  mkdir -p "$HOME/.agents"
  if git cat-file blob "$homes" | tar -C "$HOME/.agents" -xf - 2> /dev/null; then echo homes; fi
fi`
