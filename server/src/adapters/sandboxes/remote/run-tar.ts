import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

const COMPLAINT_CHARACTERS_MAX = 2_000

/** Runs tar in this folder; `feed` gives it what it reads and takes what it writes. Rejects with what it complains of. */
export async function runTar(
  folder: string,
  { args, feed }: { args: string[]; feed: (tar: ChildProcessByStdio<Writable, Readable, Readable>) => Promise<void> },
): Promise<void> {
  const tar = spawn('tar', ['-C', folder, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  tar.stderr.on('data', (piece: Buffer) => (complaint = `${complaint}${piece}`.slice(0, COMPLAINT_CHARACTERS_MAX)))
  const ended = once(tar, 'close') as Promise<[number | null]>
  ended.catch(() => {})
  await feed(tar).catch((error: unknown) => {
    tar.kill()
    throw error
  })
  const [code] = await ended
  if (code !== 0) throw new Error(complaint.trim())
}
