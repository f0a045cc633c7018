import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { BackupError } from './backup-error.ts'

/** Of the folder's layout. A backup of a newer one is refused. */
export const formatVersion = 1

const manifestName = 'manifest.json'
/** A table takes some hundred bytes. */
const manifestBytesMax = 4 * 2 ** 20

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const File = { bytes: Count, sha256: Digest }

const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  product: Type.String({ maxLength: 100 }),
  /** When the database's snapshot was taken, which is the moment that is restored. */
  takenAt: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$' }),
  migrations: Type.Array(
    Type.Object({ name: Type.String({ pattern: '^[0-9]{4}-[a-z0-9-]{1,100}\\.sql$' }), digest: Digest }),
  ),
  /** By which a secret key is known as the one that the tokens and secrets are made with. */
  key: Type.Union([Type.Null(), Type.Object({ salt: Type.String({ pattern: '^[0-9a-f]{2,128}$' }), digest: Digest })]),
  tables: Type.Array(Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1 }), rows: Count, ...File })),
  sequences: Type.Array(Type.Object({ name: Name, value: Type.Union([Type.Null(), Count]) })),
  /** The list of all files of repositories and blobs. */
  files: Type.Object({ count: Count, ...File }),
  repositories: Count,
  /** Those of them that were removed while it was made; they have no branches. */
  removedRepositories: Count,
  /** Those that rows name and that were not there. */
  missingRepositories: Count,
  /** Whether the blobs are in it. */
  hasBlobs: Type.Boolean(),
  blobs: Count,
  /** Blobs that rows refer to and that were missing when the backup was made. */
  missingBlobs: Count,
})
export type Manifest = Static<typeof Manifest>

/** Written last, and at once: a folder without one is no backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ manifest, sha256: digestOf(manifest) }, null, 1)
  await using handle = await open(path.join(folder, manifestName), 'wx', 0o600)
  await handle.writeFile(`${text}\n`)
  await handle.sync()
}

/** Rejects with a `BackupError` for what is no backup, a damaged one, or one of a newer format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, manifestName)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile())
    throw new BackupError(`${folder} is not a whole backup: it has no ${manifestName}, which is written last.`)
  if (found.size > manifestBytesMax) throw new BackupError(`${file} is too large to be a manifest.`)
  const { manifest, sha256 } = parse(await readFile(file, 'utf8'), file)
  const { format } = (manifest ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format > formatVersion)
    throw new BackupError(
      `The backup has format ${format}, and this Runwright reads up to ${formatVersion}. Use the Runwright that made it, or a newer one.`,
    )
  if (!Value.Check(Manifest, manifest) || sha256 !== digestOf(manifest))
    throw new BackupError(`${file} is damaged: it is not what was written.`)
  return manifest
}

function parse(text: string, file: string): { manifest?: unknown; sha256?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object
  } catch (error) {
    throw new BackupError(`${file} is damaged: it is not JSON.`, { cause: error })
  }
}

const digestOf = (manifest: object) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
