import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { migrationsFolder } from '#db/migrate.ts'
import { BackupError } from './backup-error.ts'

/** Rejects where this Runwright does not know one of the migrations, and so cannot make a database with the same tables. */
export async function requireKnown(migrations: readonly { name: string; digest: string }[]): Promise<void> {
  const own = new Set(await readdir(migrationsFolder))
  if (!migrations.length) throw new BackupError('There is no service in this database: it has no table of migrations.')
  for (const { name, digest } of migrations) {
    if (!own.has(name))
      throw new BackupError(
        `The database has migration ${name}, which this Runwright does not know. Use the newer Runwright that made it.`,
      )
    const text = await readFile(path.join(migrationsFolder, name))
    if (createHash('sha256').update(text).digest('hex') !== digest)
      throw new BackupError(`Migration ${name} is another one than in this Runwright. Use the Runwright that made it.`)
  }
}
