import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { Entry } from '#base/entry.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { lfsEntry, lfsIn, type LfsFiles } from './find-lfs-files.ts'
import { lfsFilter } from './lfs-filter.ts'

const checkOutMs = 20 * 60_000

/**
 * Puts the content of large files in place of their pointers, in a work tree that was just checked out, and has git there turn
 * them into pointers again as they are committed. Files that were changed since stay as they are. Answers what is told of it.
 */
export async function checkOutLfs(sandbox: Sandbox, files: LfsFiles, signal: AbortSignal): Promise<Entry | null> {
  if (!files.isUsed) return null
  await sandbox.writeFile(`${sandbox.paths.workspace}/.git/lfs/filter`, Buffer.from(lfsFilter))
  const { exitCode, reason, output } = await sandbox.exec({
    shell: script,
    env: { LFS: lfsIn(sandbox) },
    stdin: files.here.map((path) => `${path}\0`).join(''),
    timeoutMs: checkOutMs,
    signal,
  }).result
  signal.throwIfAborted()
  if (reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while large files were checked out.', { retryable: true })
  if (exitCode !== 0)
    throw new RunFailure(
      'checkout_failed',
      `The large files (Git LFS) could not be checked out: ${output.toString().trim().slice(-1_000) || reason}`,
    )
  return lfsEntry(files)
}

/** Only these files go through the filter now, and git remembers how each looks: it need not read them again. It leaves what is there as it is. */
const script = `set -e
export LC_ALL=C
sort -z > .git/lfs/here
git ls-files -z -t | sed -z -n 's/^[^S] //p' | sort -z > .git/lfs/tracked
git diff-files -z --name-only | sort -z > .git/lfs/changed
# Files as young as the index git would read again, and find those changed that should be pointers and are none.
sleep 1
git update-index -q --refresh --force-write-index || true
git config filter.lfs.clean "sh '$PWD/.git/lfs/filter' clean '$LFS'"
git config filter.lfs.smudge "sh '$PWD/.git/lfs/filter' smudge '$LFS'"
git config filter.lfs.required true
comm -z -12 .git/lfs/here .git/lfs/tracked | comm -z -23 - .git/lfs/changed > .git/lfs/due
xargs -0 -r rm -f -- < .git/lfs/due
git checkout-index -q -f -u -z --stdin < .git/lfs/due
rm -f .git/lfs/here .git/lfs/tracked .git/lfs/changed .git/lfs/due`
