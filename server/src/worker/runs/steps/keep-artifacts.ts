import { setTimeout as sleep } from 'node:timers/promises'
import { BlobsUnavailable } from '#adapters/blobs/blob-store.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import { limits } from '#base/limits.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import type { StoredBlob } from '#domain/runs/blobs/record-blobs.ts'
import { storeBlob } from '#domain/runs/blobs/store-blob.ts'
import { isNameOfWhole } from '#domain/runs/logs/cut-entry.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Where an agent leaves files for people; git does not see it. */
export const artifactFolder = '.runwright/artifacts'

const contentTypes: Record<string, string> = {
  csv: 'text/csv',
  gif: 'image/gif',
  gz: 'application/gzip',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  patch: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
  zip: 'application/zip',
}

type Found = { name: string; bytes: number }

type KeepingApp = Pick<App, 'pool' | 'mask' | 'redactors' | 'notifier' | 'blobs'>

/**
 * Takes the files out that the agent left for people: plain files with a plain name, at the top of their folder. What is
 * too large or too many stays behind, and the log says so. Done again it does no harm.
 */
export async function keepArtifacts(
  app: KeepingApp,
  { holder, sandbox, signal }: { holder: Holder; sandbox: Sandbox; signal: AbortSignal },
): Promise<void> {
  const found = await findFiles(sandbox, signal)
  crashAt('artifact.found')
  const refused: string[] = []
  for (const [index, { name, bytes }] of found.entries()) {
    signal.throwIfAborted()
    const reason = whyRefused({ name, bytes, index }) ?? (await keep(app, { holder, sandbox, name, signal }))
    if (reason) refused.push(`${JSON.stringify(name)}: ${reason}`)
  }
  // One of them may have held what ends the turn.
  signal.throwIfAborted()
  if (!refused.length) return
  const observation = `Of the files in ${artifactFolder} these were not kept:\n${refused.slice(0, 20).join('\n')}`
  await durableNote(app, {
    holder,
    key: `t${holder.turn}/artifacts`,
    entries: [{ messageType: 'ERROR', observation }],
    isTail: true,
  })
}

/** Links are not followed, neither those in the folder nor one in its place. */
async function findFiles(sandbox: Sandbox, signal: AbortSignal): Promise<Found[]> {
  const { exitCode, stdout } = await sandbox.exec({
    shell: `[ ! -L .runwright ] && [ ! -L ${artifactFolder} ] && [ -d ${artifactFolder} ] || exit 0
find -P ${artifactFolder} -mindepth 1 -maxdepth 1 -type f -printf '%s %f\\0' | head -c 1000000`,
    timeoutMs: limits.artifactsMs,
    outputBytesMax: 1_000_000,
    signal,
  }).result
  if (exitCode !== 0) return []
  const lines = stdout.toString('utf8').split('\0').slice(0, -1)
  const files = lines.map((line) => ({
    name: line.slice(line.indexOf(' ') + 1),
    bytes: Number(line.slice(0, line.indexOf(' '))),
  }))
  return files.sort((one, other) => (one.name < other.name ? -1 : 1))
}

function whyRefused({ name, bytes, index }: Found & { index: number }): string | undefined {
  if (index >= limits.artifactsMax) return `there are more than ${limits.artifactsMax} files`
  // A name that is no UTF-8 has signs of replacement in it, and would not be found again.
  const isPlain = !/^\.|[\p{Cc}\p{Cs}/\\\ufffd]/u.test(name) && Buffer.byteLength(name) <= limits.artifactNameBytesMax
  if (!isPlain) return 'its name is hidden, too long, or no plain text'
  if (isNameOfWhole(name)) return 'its name is one that the log uses for what is too long for it'
  if (bytes > limits.artifactBytesMax) return `it is larger than ${limits.artifactBytesMax / 2 ** 20} MiB`
  return undefined
}

type Keep = { holder: Holder; sandbox: Sandbox; name: string; signal: AbortSignal }

async function keep(app: KeepingApp, { holder, sandbox, name, signal }: Keep): Promise<string | undefined> {
  const file = `${sandbox.paths.workspace}/${artifactFolder}/${name}`
  const bytes = await sandbox.readFile(file, { bytesMax: limits.artifactBytesMax }).catch((error: Error) => error)
  if (bytes instanceof Error) return `it cannot be read (${'code' in bytes ? String(bytes.code) : bytes.message})`
  const { organizationId } = holder
  if (app.mask(name) !== name) return 'its name holds a secret'
  const clean = await withoutSecrets(bytes, app.redactors.of(holder))
  if (clean === null) return 'it holds a secret, and is no text that it could be taken out of'
  const contentType = contentTypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
  try {
    const blob = await store(app, { organizationId, bytes: clean, signal })
    crashAt('artifact.put')
    await saveArtifact(app.pool, { holder, name, contentType, blob })
  } catch (error) {
    if (!isStorageFull(error)) throw error
    return `there is no room for it: ${error.message}`
  }
  crashAt('artifact.recorded')
  return undefined
}

type Store = { organizationId: number; bytes: Uint8Array; signal: AbortSignal }

/** The sandbox is the only place where the file is, so a store that is away is waited for. */
async function store(app: KeepingApp, { organizationId, bytes, signal }: Store): Promise<StoredBlob> {
  const until = performance.now() + limits.artifactsMs
  for (;;) {
    try {
      return await storeBlob(app.pool, app.blobs, { organizationId, bytes })
    } catch (error) {
      if (!(error instanceof BlobsUnavailable) || performance.now() > until) throw error
      await sleep(limits.artifactRetryMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}
