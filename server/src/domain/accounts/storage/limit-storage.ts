import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'

export type LimitStorage = { organizationId: number; bytesMax: number; byOperator: boolean }

/** The operator grants any; an organization allows itself less than that. Throws `forbidden` where it would be more. */
export async function limitStorage(db: Db, { organizationId, bytesMax, byOperator }: LimitStorage): Promise<void> {
  if (byOperator) {
    await db.query('update organizations set storage_granted = $2, storage_max = null where id = $1', [
      organizationId,
      bytesMax,
    ])
    return
  }
  await db.query('update organizations set storage_max = $2 where id = $1', [organizationId, bytesMax])
  const { most } = await one<{ most: number }>(db, `select storage_limit($1, 'organization') as most`, [organizationId])
  if (most >= bytesMax) return
  const message = `Whoever runs the service lets this organization store ${Math.floor(most / 2 ** 20)} MiB; only they can raise that.`
  throw new AppError('forbidden', { message })
}
