import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { openS3Blobs } from '#adapters/blobs/s3.ts'
import type { Clock } from '#base/clock.ts'
import type { Config } from '#base/config/config.ts'

/** Where big bytes lie, as the settings say. */
export function openBlobs({ blobs }: Pick<Config, 'blobs'>, clock: Clock): BlobStore {
  return blobs.kind === 's3' ? openS3Blobs({ ...blobs, clock }) : openFileBlobs(blobs)
}
