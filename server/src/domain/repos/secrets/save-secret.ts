import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { isTakenName } from '#base/secrets/secret-name.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from './data-key.ts'
import { requireRepo } from './require-repo.ts'
import { sealedFor, secretColumns, type SecretHead, type SecretPlace } from './secret.ts'

export type SaveSecret = SecretPlace & { name: string; value: string }

/** Keeps a value under a name, in place of one that was there. Throws `repo_not_found`, `invalid_request`, `conflict`. */
export async function saveSecret(
  db: Db,
  box: SecretBox,
  { organizationId, repoId, name, value }: SaveSecret,
): Promise<SecretHead> {
  const bytes = Buffer.from(value)
  checkName(name)
  checkValue(bytes)
  const place = { organizationId, repoId }
  return inTransaction(db, async (tx) => {
    await requireRepo(tx, place)
    // Whoever saves another one at the same moment waits here, so that both are counted.
    const dataKey = await takeDataKey(tx, box, { organizationId })
    const saved = await one<SecretHead>(
      tx,
      `insert into secrets (organization_id, repo_id, name, sealed) values ($1, $2, $3, $4)
       on conflict (organization_id, repo_id, name) do update set sealed = excluded.sealed, updated_at = now()
       returning ${secretColumns}`,
      [organizationId, repoId, name, dataKey.seal(bytes, sealedFor(place, name))],
    )
    await checkRoom(tx, place)
    return saved
  })
}

function checkName(name: string): void {
  if (!isTakenName(name)) return
  const message = `${name} is a name by which programs find their way: choose another one.`
  const detail = [{ loc: ['params', 'name'], msg: 'is taken', type: 'value_error' }]
  throw new AppError('invalid_request', { message, detail })
}

/** What is shorter, or of fewer different bytes, could not be taken out of logs without harm to ordinary text. */
function checkValue(bytes: Buffer): void {
  const { secretBytesMin, secretDistinctBytesMin, secretBytesMax } = limits
  const msg =
    bytes.length < secretBytesMin
      ? `must be at least ${secretBytesMin} bytes long: a shorter value could not be taken out of logs`
      : new Set(bytes).size < secretDistinctBytesMin
        ? `must have at least ${secretDistinctBytesMin} different bytes: it could not be told from ordinary text in logs`
        : bytes.length > secretBytesMax
          ? `must be at most ${secretBytesMax} bytes long`
          : undefined
  if (msg === undefined) return
  const detail = [{ loc: ['body', 'value'], msg, type: 'value_error' }]
  throw new AppError('invalid_request', { message: `value ${msg}.`, detail })
}

async function checkRoom(tx: Db, { organizationId, repoId }: SecretPlace): Promise<void> {
  const { count, bytes } = await one<{ count: number; bytes: number }>(
    tx,
    `select count(*) as count, sum(octet_length(sealed)) as bytes from secrets
     where organization_id = $1 and repo_id is not distinct from $2`,
    [organizationId, repoId],
  )
  const where = repoId === null ? 'The organization' : `Repository ${repoId}`
  if (count > limits.secretsMax)
    throw new AppError('conflict', { message: `${where} has ${limits.secretsMax} secrets already: delete one first.` })
  if (bytes > limits.secretsBytesMax) {
    const message = `${where} may have ${limits.secretsBytesMax / 1024} KiB of secrets in all: delete one first.`
    throw new AppError('conflict', { message })
  }
}
