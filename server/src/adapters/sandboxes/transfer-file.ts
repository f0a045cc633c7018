import { KeptOutput } from '#base/text/kept-output.ts'
import { errorCodeOf, type ExecChannel } from './exec-channel.ts'
import { SandboxFileError } from './sandbox.ts'

/** Read when the caller names no limit. */
const READ_BYTES_MAX = 16 * 1024 * 1024
/** Without an answer for so long the file system inside does not answer either. */
const TRANSFER_MS_MAX = 60_000

export async function readSandboxFile(
  channel: ExecChannel,
  path: string,
  options: { bytesMax?: number } = {},
): Promise<Buffer> {
  const bytesMax = options.bytesMax ?? READ_BYTES_MAX
  // Copied: a piece may be one byte of a large buffer, and there may be as many pieces as bytes.
  const kept = new KeptOutput(bytesMax)
  await transfer(path, (onEnd) =>
    channel.start(
      { type: 'read', path, bytesMax },
      {
        onOutput: (_stream, chunk) => kept.append(chunk),
        onEnd,
      },
    ),
  )
  if (kept.cutBytes > 0) throw new SandboxFileError('EFBIG', path)
  return kept.take()
}

export async function writeSandboxFile(
  channel: ExecChannel,
  path: string,
  data: Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  await transfer(path, (onEnd) => {
    const job = channel.start({ type: 'write', path, ...options }, { onEnd })
    job.write(data)
    job.endInput()
  })
}

type OnEnd = Parameters<ExecChannel['start']>[1]['onEnd']

async function transfer(path: string, start: (onEnd: OnEnd) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new SandboxFileError('ETIMEDOUT', path)), TRANSFER_MS_MAX)
  start((message) => {
    if (!message) reject(new SandboxFileError('ESANDBOXLOST', path))
    else if (message.error === undefined) resolve()
    else reject(new SandboxFileError(errorCodeOf(message), path))
  })
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}
