import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { pointerBytes, readLfsPointer } from '#adapters/codehosts/lfs-pointer.ts'
import type { LfsPointer } from '#adapters/codehosts/lfs-store.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { inspectObject } from '#domain/runs/redaction/inspect-object.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import type { Workspace } from './open-workspace.ts'
import { requireHeld } from './require-held.ts'

export type PushLfs = {
  holder: Holder
  repoId: number | null
  workspace: Workspace
  commit: string
  /** Commits that the turn began with. */
  without: readonly string[]
  signal: AbortSignal
}

const listMs = 5 * 60_000

/**
 * Uploads the large files of what is about to be pushed, as Git LFS itself does before a push: those alone whose content is in
 * the sandbox. What the sandbox says is not believed: each is checked by its digest, searched for secrets, and counted.
 */
export async function pushLfs(app: App, options: PushLfs): Promise<void> {
  const { workspace, signal } = options
  if (!workspace.lfs.isUsed) return
  const place = await mkdtemp(path.join(app.temporaryFolder, 'lfs-'))
  try {
    const missing: LfsPointer[] = []
    for (const pointer of await listNew(options)) {
      signal.throwIfAborted()
      if (!(await pushOne(app, options, pointer, path.join(place, 'object')))) missing.push(pointer)
    }
    if (missing.length) await tellLost(app, options, missing)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** The pointers of new commits whose content is there, as the sandbox sees it. */
async function listNew({ workspace, commit, without, signal }: PushLfs): Promise<LfsPointer[]> {
  const { stdout, reason } = await workspace.sandbox.exec({
    shell: `git rev-list --objects --stdin | cut -d ' ' -f 1 \\
  | git cat-file --batch-check='%(objecttype) %(objectname) %(objectsize)' \\
  | awk '$1 == "blob" && $3 >= ${pointerBytes.min} && $3 <= ${pointerBytes.max} { print $2 }' | git cat-file --batch --buffer`,
    stdin: [commit, ...without.map((known) => `^${known}`)].join('\n') + '\n',
    outputBytesMax: lfsLimits.smallFilesBytesMax,
    timeoutMs: listMs,
    signal,
  }).result
  signal.throwIfAborted()
  if (reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while large files were read.', { retryable: true })
  const pointers = new Map<string, LfsPointer>()
  for (const part of stdout.toString('latin1').split('version https://git-lfs.github.com/spec/v1\n').slice(1)) {
    const [oid = '', size = ''] = part.split('\n', 2)
    const pointer = readLfsPointer(`version https://git-lfs.github.com/spec/v1\n${oid}\n${size}\n`)
    if (pointer) pointers.set(pointer.oid, pointer)
  }
  return [...pointers.values()].slice(0, lfsLimits.workTreeFilesMax)
}

/** The branch gets its pointers all the same, as with other hosts; but people are told. */
async function tellLost(app: App, { holder, workspace, signal }: PushLfs, missing: LfsPointer[]): Promise<void> {
  const { ref } = workspace
  const known = await app.hosts.git(ref).lfs.find(ref, missing, { signal })
  const lost = missing.filter(({ oid }) => !known.has(oid)).map(({ oid }) => oid)
  if (!lost.length) return
  const named = lost.slice(0, lfsLimits.leftNamedMax).join(', ')
  const observation = `The work names large files (Git LFS) whose content is neither here nor at the code host: ${named}.`
  const entry = { messageType: 'ACTION' as const, toolName: 'lfs', toolOutput: { lost: lost.length }, observation }
  await durableNote(app, { holder, key: `t${holder.turn}/lfs`, entries: [entry] })
}

/** False where its content is not in the sandbox. */
async function pushOne(app: App, options: PushLfs, pointer: LfsPointer, file: string): Promise<boolean> {
  const { holder, repoId, workspace, signal } = options
  const { ref } = workspace
  const { lfs } = app.hosts.git(ref)
  if (!(await fetchFile(options, pointer, file))) return false
  const { organizationId, runId } = holder
  const path = `the LFS object ${pointer.oid}`
  try {
    await lfs.put(ref, {
      ...pointer,
      body: createReadStream(file),
      inspect: inspectObject(app.redactors.of(holder), { kind: 'blob', id: pointer.oid, path }),
      take: async (bytes) => {
        await requireHeld(app, holder)
        return whyNotTaken(app.pool, { organizationId, repoId, runId, bytes })
      },
      signal,
    })
    return true
  } catch (error) {
    if (!(error instanceof HostError) || !error.isFinal) throw error
    throw new RunFailure('push_rejected', `A large file of the work could not be uploaded: ${error.message}`, {
      cause: error,
    })
  }
}

/** False where its content is not in the sandbox: then it is at the host already, or nowhere. */
async function fetchFile({ workspace, signal }: PushLfs, { oid, bytes }: LfsPointer, file: string): Promise<boolean> {
  if (bytes > lfsLimits.objectBytesMax) return false
  const out = createWriteStream(file)
  let come = 0
  const exec = workspace.sandbox.exec({
    argv: ['cat', `.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`],
    outputBytesMax: 1024,
    onOutput: (stream, chunk) => {
      if (stream !== 'stdout') return
      come += chunk.length
      if (come > bytes) exec.kill()
      else out.write(chunk)
    },
    timeoutMs: lfsLimits.transferMs,
    signal,
  })
  const { exitCode, reason } = await exec.result
  out.end()
  await finished(out)
  signal.throwIfAborted()
  if (reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while a large file was read.', { retryable: true })
  return exitCode === 0 && come === bytes
}
