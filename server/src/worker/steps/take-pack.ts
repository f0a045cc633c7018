import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { RunFailure } from '#worker/run-failure.ts'

export type TakePack = {
  sandbox: Sandbox
  commit: string
  /** Commits that the host has already. */
  without: string[]
  /** Where the pack lies until it is pushed. */
  folder: string
  signal: AbortSignal
}

const packMs = 10 * 60_000

/** Everything that a commit needs and the host does not have, as one git pack. The pack is untrusted. */
export async function takePack({
  sandbox,
  commit,
  without,
  folder,
  signal,
}: TakePack): Promise<AsyncDisposable & { read(): Readable }> {
  const place = await mkdtemp(path.join(folder, 'pack-'))
  const file = path.join(place, 'pack')
  const pack = {
    read: () => createReadStream(file),
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  }
  try {
    const out = createWriteStream(file)
    let bytes = 0
    const exec = sandbox.exec({
      argv: ['git', 'pack-objects', '--revs', '--stdout', '-q'],
      stdin: [commit, ...without.map((known) => `^${known}`)].join('\n') + '\n',
      outputBytesMax: 64 * 1024,
      onOutput: (stream, chunk) => {
        if (stream !== 'stdout') return
        bytes += chunk.length
        if (bytes > limits.pushBytesMax) exec.kill()
        else out.write(chunk)
      },
      timeoutMs: packMs,
      signal,
    })
    const result = await exec.result
    out.end()
    await finished(out)
    signal.throwIfAborted()
    if (bytes > limits.pushBytesMax) {
      throw new RunFailure(
        'push_too_large',
        `The work is larger than ${limits.pushBytesMax / 2 ** 20} MiB, which is the most that a run may push.`,
      )
    }
    if (result.exitCode !== 0) {
      throw new RunFailure(
        'pack_failed',
        `The work could not be packed: ${result.stderr.toString().trim().slice(-1_000) || result.reason}`,
      )
    }
    return pack
  } catch (error) {
    await pack[Symbol.asyncDispose]()
    throw error
  }
}
