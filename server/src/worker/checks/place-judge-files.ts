import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { openJudgeFiles } from '#domain/hosts/comparisons/open-judge-files.ts'
import type { ClaimedCheck } from '#domain/hosts/checks/start-check.ts'

export type PlaceJudgeFiles = {
  sandbox: Sandbox
  claimed: Pick<ClaimedCheck, 'organizationId' | 'comparisonId'>
  signal: AbortSignal
}

const clearMs = 60_000

/** Puts a judge's files over the work tree, in place of whatever the contestant has put there. */
export async function placeJudgeFiles(
  app: Pick<App, 'pool' | 'secretBox'>,
  { sandbox, claimed, signal }: PlaceJudgeFiles,
): Promise<void> {
  const { organizationId, comparisonId } = claimed
  if (comparisonId === null) return
  const files = await openJudgeFiles(app.pool, app.secretBox, { organizationId, comparisonId })
  if (files.length === 0) return
  const paths = files.map(({ path }) => path)
  await sandbox.exec({
    argv: ['bash', '-c', clear, 'clear', ...foldersOf(paths), '--', ...paths],
    timeoutMs: clearMs,
    signal,
  }).result
  signal.throwIfAborted()
  for (const { path, bytes } of files) await sandbox.writeFile(`${sandbox.paths.workspace}/${path}`, bytes)
}

/** A link where a folder is to be, or where a file is, would have the file land somewhere else, or nowhere. */
const clear = `
while [ "$1" != -- ]; do
  if [ -L "$1" ] || [ ! -d "$1" ]; then rm -rf "./$1"; fi
  shift
done
shift
for file do rm -rf "./$file"; done`

/** The outer ones first. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => {
    const names = path.split('/').slice(0, -1)
    return names.map((_, index) => names.slice(0, index + 1).join('/'))
  })
  return [...new Set(folders)].toSorted((one, other) => one.split('/').length - other.split('/').length)
}
