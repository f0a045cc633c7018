import { EngineError } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { artifactFolder } from './keep-artifacts.ts'
import type { Workspace } from './open-workspace.ts'

export type TellLeftBehind = {
  holder: Holder
  workspace: Workspace
  /** Submodules whose changes are in no commit of the work. */
  left: readonly string[]
  signal: AbortSignal
}

/**
 * What an agent did inside a submodule belongs to another repository, to which its run does not push. Leaves it as patches among
 * the artifacts, and says so in the log, once. Answers the sentence for the answer of the turn; null where nothing was left.
 */
export async function tellLeftBehind(app: App, options: TellLeftBehind): Promise<string | null> {
  const { holder, workspace, left } = options
  if (!workspace.submodules.found.length) return null
  const patches = left.length ? await keepPatches(options) : []
  const kept = patches.length
    ? ` It is kept in the artifacts of this run, for \`git apply\` there: ${patches.join(', ')}.`
    : ''
  const remark = `What was changed inside ${left.join(', ')} is not part of the work: changes of a submodule are made by a run of its own repository.${kept}`
  const toolOutput = { left_behind: [...left], patches }
  const entry = { messageType: 'ACTION' as const, toolName: 'submodules', toolOutput, observation: remark }
  // Whoever delivers the work again may do so where the changes are not there any more.
  const response = await durableNote(app, {
    holder,
    key: `t${holder.turn}/submodules`,
    entries: left.length ? [entry] : [],
    response: left.length ? remark : null,
  })
  return typeof response === 'string' ? response : null
}

/** Answers the names of the patches, without those that are too large. Each applies to the newest commit that its repository has. */
async function keepPatches({ workspace, signal }: TellLeftBehind): Promise<string[]> {
  const { sandbox, submodules } = workspace
  const named = submodules.found.map(({ path, mount }, at) => {
    const name = `submodule-${at + 1}-${path.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}.patch`
    return { name, line: `${sandbox.paths.mounts[mount]}\t${name}\t${path}\n` }
  })
  const { stdout, reason } = await sandbox.exec({
    shell: script,
    env: { FOLDER: artifactFolder, BYTES_MAX: String(limits.checkpointBytesMax) },
    stdin: named.map(({ line }) => line).join(''),
    timeoutMs: limits.checkpointMs,
    signal,
  }).result
  signal.throwIfAborted()
  if (reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while changes of submodules were kept.', {
      retryable: true,
    })
  const written = new Set(stdout.toString().split('\n'))
  return named.map(({ name }) => name).filter((name) => written.has(name))
}

const script = `mkdir -p "$FOLDER"
folder=$(cd "$FOLDER" && pwd)
while IFS=$'\\t' read -r objects name path; do
  (
    set -e
    cd "./$path"
    [ -d .git ]
    git="git -c core.hooksPath=/dev/null -c core.fsmonitor=false"
    base=$(git rev-list -n 1000 HEAD | GIT_OBJECT_DIRECTORY="$objects" git cat-file --batch-check='%(objecttype) %(objectname)' \\
      | awk '$1 == "commit" && !found { print $2; found = 1 }')
    [ -n "$base" ]
    export GIT_INDEX_FILE="$PWD/.git/left-behind"
    cp .git/index "$GIT_INDEX_FILE"
    { $git ls-files -z --others --exclude-standard; $git diff-files -z --name-only --ignore-submodules=all; } > .git/left-changed
    if [ -s .git/left-changed ]; then
      bytes=$(du -bc --files0-from=.git/left-changed | tail -n 1 | cut -f 1)
      [ "$bytes" -le "$BYTES_MAX" ]
    fi
    $git add -A
    $git diff --cached --binary --no-ext-diff --no-textconv --ignore-submodules "$base" > "$folder/$name"
    if [ -s "$folder/$name" ]; then echo "$name"; else rm "$folder/$name"; fi
  ) < /dev/null 2> /dev/null
done`
