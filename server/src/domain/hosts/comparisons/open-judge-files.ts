import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { openDataKey } from '#domain/repos/secrets/data-key.ts'
import { judgeFilesPlace, type ComparisonIds, type JudgeFile } from './comparison.ts'

/** What is put over a contestant's work tree before it is judged. For a worker that judges alone: nobody else is shown it. */
export async function openJudgeFiles(db: Db, box: SecretBox, ids: ComparisonIds): Promise<JudgeFile[]> {
  const { organizationId, comparisonId } = ids
  const found = await maybeOne<{ sealed: Buffer | null; dataKey: Buffer }>(
    db,
    `select k.sealed, d.sealed as "dataKey" from comparisons k join data_keys d on d.organization_id = k.organization_id
     where k.organization_id = $1 and k.id = $2`,
    [organizationId, comparisonId],
  )
  if (!found?.sealed) return []
  const opened = openDataKey(box, { organizationId, sealed: found.dataKey }).open(found.sealed, judgeFilesPlace(ids))
  if (!opened) throw new Error(`the judge files of comparison ${comparisonId} were changed in the database`)
  const contents = JSON.parse(opened.toString()) as { path: string; content: string }[]
  return contents.map(({ path, content }) => ({ path, bytes: Buffer.from(content, 'base64') }))
}
