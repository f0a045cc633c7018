import type pg from 'pg'

/** `isNamed`: a row refers to its bytes, so they must be there; else they may still be on their way. */
export type KeptBlob = { organizationId: number; sha256: string; isNamed: boolean }

/** All blobs, a bounded number at a time. Needs a transaction. */
export async function* listKeptBlobs(tx: pg.ClientBase): AsyncGenerator<KeptBlob[]> {
  await tx.query(`declare kept_blobs cursor for ${all}`)
  for (;;) {
    const { rows: page } = await tx.query<KeptBlob>(`fetch ${pageSize} from kept_blobs`)
    if (page.length) yield page
    if (page.length < pageSize) break
  }
  await tx.query('close kept_blobs')
}

const pageSize = 2_000

const all = `
  with named as (
    select organization_id, sha256 from artifacts
    union select organization_id, sha256 from checkpoints
    union select organization_id, sha256 from log_archives
    union select organization_id, log_sha256 from checks where log_sha256 is not null
    union select m.organization_id, i.image->>'sha256' from messages m, jsonb_array_elements(m.images::jsonb) as i (image)
      where m.images::text <> '[]')
  select b.organization_id::float8 as "organizationId", b.sha256, n.sha256 is not null as "isNamed"
  from blobs b left join named n on n.organization_id = b.organization_id and n.sha256 = b.sha256`
