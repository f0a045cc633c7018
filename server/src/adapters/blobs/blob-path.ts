import type { BlobKey } from './blob-store.ts'

/** Where a blob lies in every store: `<organization>/<2 digits>/<sha256>`. Throws where the name is none. */
export function blobPath({ organizationId, sha256 }: BlobKey): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError(`not the name of a blob: ${sha256.slice(0, 100)}`)
  return `${organizationId}/${sha256.slice(0, 2)}/${sha256}`
}

/** The blob that lies at a path; undefined where none can. */
export function parseBlobPath(path: string): BlobKey | undefined {
  const [, organization, digits, sha256] = /^([1-9]\d{0,15})\/([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(path) ?? []
  if (!organization || !sha256 || !sha256.startsWith(digits ?? '')) return undefined
  return { organizationId: Number(organization), sha256 }
}
