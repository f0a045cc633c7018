import { createWriteStream } from 'node:fs'
import { chmod } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { setupLimits } from '#base/setup-limits.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

/** What setup leaves cannot be kept for others, for a reason that people can fix or not. */
export class SnapshotUnfit extends Error {
  override readonly name = 'SnapshotUnfit'
}

export type PackSnapshot = {
  sandbox: Sandbox
  folder: string
  redactor: Redactor
  bytesMax: number
  signal: AbortSignal
}

/** Beside each other, so that they are unpacked at once. */
export const snapshotFiles = { workspace: 'workspace.tar', home: 'home.tar' } as const

/**
 * Writes what setup has left into a folder: files of the work tree that git does not track, and the home. They leave the
 * sandbox as what its own programs print; the service reads nothing in it. Whatever holds a secret is kept for nobody.
 */
export async function packSnapshot({
  sandbox,
  folder,
  redactor,
  bytesMax,
  signal,
}: PackSnapshot): Promise<{ bytes: number }> {
  let bytes = 0
  const take = async (shell: string, name: string) => {
    const file = path.join(folder, name)
    const out = createWriteStream(file)
    // From the first byte on: a disk that is full is told of as soon as it is.
    const written = finished(out)
    written.catch(() => exec.kill())
    let complaint: string | undefined
    const search = redactor.openSearch((found) => (complaint ??= `What it leaves holds the secret ${found.name}.`))
    const exec = sandbox.exec({
      shell,
      outputBytesMax: 16 * 1024,
      onOutput: (stream, chunk) => {
        if (stream !== 'stdout' || complaint !== undefined) return
        bytes += chunk.length
        search.write(chunk)
        if (bytes > bytesMax) complaint = `What it leaves is larger than ${Math.floor(bytesMax / 2 ** 20)} MiB.`
        if (out.writableLength > setupLimits.bufferBytesMax) complaint = 'The disk is too slow to keep it.'
        if (complaint === undefined) out.write(chunk)
        else exec.kill()
      },
      timeoutMs: setupLimits.packMs,
      signal,
    })
    const { exitCode, reason, stderr } = await exec.result
    search.end()
    out.end()
    await written
    await chmod(file, 0o644)
    signal.throwIfAborted()
    if (complaint !== undefined) throw new SnapshotUnfit(complaint)
    if (reason === 'sandbox_lost')
      throw new RunFailure('sandbox_lost', 'The sandbox of a setup ended.', { retryable: true })
    if (exitCode !== 0)
      throw new SnapshotUnfit(`What it leaves could not be packed: ${stderr.toString().trim().slice(-500) || reason}`)
  }
  await take(ofWorkspace, snapshotFiles.workspace)
  await take('tar -c -C "$HOME" .', snapshotFiles.home)
  return { bytes }
}

const ofWorkspace = `set -e -o pipefail
git -c core.fsmonitor=false ls-files -z --others --directory | tar -c --null -T -`

/** Lays it into a work tree that was just checked out, inside the sandbox. What is there already stays as it is. */
export const unpackingSnapshot = `set -e
tar -x --skip-old-files -C "$HOME" -f "$SNAPSHOT/${snapshotFiles.home}" &
tar -x --skip-old-files -f "$SNAPSHOT/${snapshotFiles.workspace}"
wait $!`
