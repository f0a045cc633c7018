import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { isShown, sandboxColumns, sandboxTables, type RecordedSandbox } from './sandbox.ts'

/** Throws `sandbox_not_found`. */
export async function getSandbox(
  db: Db,
  { organizationId, sandboxId }: { organizationId: number; sandboxId: number },
): Promise<RecordedSandbox> {
  const found = await maybeOne<RecordedSandbox>(
    db,
    `select ${sandboxColumns} from ${sandboxTables} where s.organization_id = $1 and s.id = $2 and ${isShown}`,
    [organizationId, sandboxId],
  )
  if (!found) throw new AppError('sandbox_not_found')
  return found
}
