import { readdir } from 'node:fs/promises'
import { migrationsFolder } from '#db/migrate.ts'
import { rows, type Db } from '#db/pool.ts'

/** Which migrations ran, which this version would run, and which a newer one has run. */
export async function listMigrations(db: Db) {
  const ran = await rows<{ name: string; ranAt: Date }>(db, 'select name, ran_at from migrations order by name')
  const names = new Set(ran.map(({ name }) => name))
  const known = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
  return {
    ran,
    pending: known.filter((name) => !names.has(name)),
    unknown: [...names].filter((name) => !known.includes(name)),
  }
}
