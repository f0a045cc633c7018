import { rows, type Db } from '#db/pool.ts'

export type CheckKey = { organizationId: number; repoId: number; key: string }

export type ReadCheckLog = CheckKey & {
  /** The store with the logs of ended checks. */
  blobs: { get(blob: { organizationId: number; sha256: string }): Promise<Buffer | undefined> }
  bytesMax: number
}

/**
 * The end of what a check has printed, so far if it is still running; null if that is nothing, or if there is no such check.
 */
export async function readCheckLog(
  db: Db,
  { organizationId, repoId, key, blobs, bytesMax }: ReadCheckLog,
): Promise<string | null> {
  const found = await rows<{ sha256: string | null; n: number | null; bytes: Buffer | null }>(
    db,
    `select c.log_sha256 as sha256, p.n, p.bytes
     from checks c left join check_log_pieces p on c.log_sha256 is null and p.organization_id = c.organization_id and p.check_id = c.id
     where c.organization_id = $1 and c.repo_id = $2 and c.id::text = $3 order by p.n`,
    [organizationId, repoId, key],
  )
  const [first] = found
  if (!first) return null
  const { sha256 } = first
  const log = sha256 === null ? joined(found) : await blobs.get({ organizationId, sha256 })
  return log?.subarray(-bytesMax).toString() ?? null
}

function joined(pieces: readonly { n: number | null; bytes: Buffer | null }[]): Buffer | undefined {
  const parts: Buffer[] = []
  let last = 0
  for (const { n, bytes } of pieces) {
    if (n === null || bytes === null) continue
    if (n > last + 1) parts.push(Buffer.from('\n[What came here is left out.]\n'))
    parts.push(bytes)
    last = n
  }
  return parts.length ? Buffer.concat(parts) : undefined
}
