/** A file that an agent left for people. */
export type Artifact = { name: string; bytes: number; contentType: string; createdAt: Date; sha256: string }

/** From `artifacts a join blobs b`. */
export const artifactColumns = `a.name, b.bytes, a.content_type, a.created_at, a.sha256`
export const artifactTables =
  'artifacts a join blobs b on b.organization_id = a.organization_id and b.sha256 = a.sha256'
