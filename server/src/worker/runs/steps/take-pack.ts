import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

export type TakePack = {
  sandbox: Sandbox
  commit: string
  /** Other objects that are to be in it, with what they need. */
  also?: readonly string[]
  /** Commits that the host has already. */
  without: string[]
  /** Where the pack lies until it is disposed of. */
  folder: string
  /** The repository inside the sandbox, when it is not the workspace's. */
  gitFolder?: string
  bytesMax?: number
  signal: AbortSignal
}

const packMs = 10 * 60_000

export type TakenPack = AsyncDisposable & { file: string; sha256: string; bytes: number; read(): Readable }

/** Everything that a commit needs and the host does not have, as one thin git pack. The pack is untrusted. */
export async function takePack({
  sandbox,
  commit,
  also = [],
  without,
  folder,
  gitFolder,
  bytesMax = limits.pushBytesMax,
  signal,
}: TakePack): Promise<TakenPack> {
  const place = await mkdtemp(path.join(folder, 'pack-'))
  const file = path.join(place, 'pack')
  const remove = () => rm(place, { recursive: true, force: true })
  try {
    const out = createWriteStream(file)
    const hash = createHash('sha256')
    let bytes = 0
    const exec = sandbox.exec({
      argv: ['git', 'pack-objects', '--revs', '--thin', '--stdout', '-q'],
      ...(gitFolder !== undefined && { env: { GIT_DIR: gitFolder } }),
      stdin: [commit, ...also, ...without.map((known) => `^${known}`)].join('\n') + '\n',
      outputBytesMax: 64 * 1024,
      onOutput: (stream, chunk) => {
        if (stream !== 'stdout') return
        bytes += chunk.length
        if (bytes > bytesMax) return exec.kill()
        hash.update(chunk)
        out.write(chunk)
      },
      timeoutMs: packMs,
      signal,
    })
    const result = await exec.result
    out.end()
    await finished(out)
    signal.throwIfAborted()
    if (bytes > bytesMax) {
      throw new RunFailure(
        'push_too_large',
        `The work is larger than ${bytesMax / 2 ** 20} MiB, which is the most that may leave a sandbox at once.`,
      )
    }
    if (result.exitCode !== 0) {
      throw new RunFailure(
        'pack_failed',
        `The work could not be packed: ${result.stderr.toString().trim().slice(-1_000) || result.reason}`,
      )
    }
    const read = () => createReadStream(file)
    return { file, sha256: hash.digest('hex'), bytes, read, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}
