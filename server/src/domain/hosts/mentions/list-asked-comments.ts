import { rows, type Db } from '#db/pool.ts'
import { commentKey, partKey, subjectText, type Mention } from '#domain/hosts/mention.ts'

export type ListAskedComments = Omit<Mention, 'key'> & { ids: readonly string[] }

/** Which of these comments were handed over before, by themselves or with another. */
export async function listAskedComments(
  db: Db,
  { organizationId, repoId, on, ids }: ListAskedComments,
): Promise<ReadonlySet<string>> {
  const known = await rows<{ key: string }>(
    db,
    'select key from host_requests where organization_id = $1 and repo_id = $2 and subject = $3 and key = any($4)',
    [organizationId, repoId, subjectText(on), ids.flatMap((id) => [commentKey(id), partKey(id)])],
  )
  const keys = new Set(known.map(({ key }) => key))
  return new Set(ids.filter((id) => keys.has(commentKey(id)) || keys.has(partKey(id))))
}
