import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { openBlobs } from '#app/open-blobs.ts'
import { systemClock } from '#base/clock.ts'
import { readConfig } from '#base/config/config.ts'
import { openSecretKey } from '#base/secrets/secret-key.ts'
import { mayCollect, collectingLock } from '#domain/accounts/storage/may-collect.ts'
import { migrate } from '#db/migrate.ts'
import { one, rows } from '#db/pool.ts'
import { setKey } from '#domain/repos/secrets/claim-key.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { emptyPlace } from '#test/empty-place.ts'
import { fillTables } from '#test/fill-tables.ts'
import { archivePiece } from '#domain/runs/logs/archive-piece.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { rewriteManifest } from '#test/rewrite-manifest.ts'
import { s3Settings, startS3Server } from '#test/s3-server.ts'
import { testApp } from '#test/test-app.ts'
import { testFolder } from '#test/test-git.ts'
import { makeWorld } from '#test/world.ts'
import { collectRepositories } from '#worker/upkeep/collect-repositories.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'
import { runBackupCommand } from './run-backup-command.ts'
import { verify } from './verify.ts'

const { app, ask, member } = await testApp()
const url = (app.pool.options as { connectionString: string }).connectionString
const pool = Object.assign(app.pool, { url })
const folder = await testFolder()
const key = { RUNWRIGHT_SECRET_KEY: 'the key of the service, which no backup holds' }
const configOf = (env: Record<string, string>) => readConfig({ ...key, ...env }, { root: folder })
const config = configOf({ DATABASE_URL: url, RUNWRIGHT_DATA_DIR: app.config.dataDir })
const blobs = openFileBlobs({ folder: path.join(app.config.dataDir, 'blobs') })
const target = path.join(folder, 'whole')

before(async () => {
  await setKey(pool, openSecretKey(config))
  const world = await makeWorld({ app, ask, member })
  const { organizationId, userId } = world
  const repoId = world.ids['repo_id'] ?? null
  const full = await makeFullRun(pool, { word: 'all kinds', blobs, organizationId, userId, repoId, steps: 201 })
  await archivePiece(pool, { ...full.ids, blobs, entriesMax: 100 })
  assert.deepEqual(await fillTables(pool, organizationId), [])
  // Rows in the partition of later runs, and in the one of those that have none.
  await pool.query(`select setval('runs_id_seq', 250000)`)
  await pool.query('select make_partitions(250000)')
  await pool.query('alter table log_entries disable trigger user')
  for (const id of [250_000, 950_000]) {
    const run = await makeRun(pool, { organizationId, userId })
    await pool.query(
      `insert into steps (organization_id, run_id, step, turn, key, kind, state, lease_id, request)
      overriding system value values ($1, $2, 1, 1, 'k', 'model', 'done', gen_random_uuid(), '{}')`,
      [organizationId, run.id],
    )
    await pool.query(`select setval('runs_id_seq', $1)`, [id + 100_000])
  }
})

const restoredOtherwise = {
  workers: ['place', 'alive_until'],
  run_heads: ['turn_started_at'],
  pulls: ['merge_intended_at'],
}

/** What a table holds, whatever the order. */
async function contentOf(db: pg.Pool, name: string): Promise<string[]> {
  // A restored worker is none of this machine, and the time since the backup is nobody's.
  const [changed] = Object.entries(restoredOtherwise).flatMap(([of, columns]) => (of === name ? [columns] : []))
  const row = changed ? `(to_jsonb(t) - array[${changed.map((column) => `'${column}'`).join()}])::text` : 't::text'
  return (await rows<{ row: string }>(db, `select ${row} as row from ${name} t order by 1`)).map((found) => found.row)
}

async function tablesOf(db: pg.Pool): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'migrations' order by 1`,
  )
  return found.map(({ name }) => name)
}

/** Keys, triggers and policies, as the catalog has them. */
async function rulesOf(db: pg.Pool): Promise<string[]> {
  const found = await rows<{ rule: string }>(
    db,
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule from pg_constraint
       where connamespace = 'public'::regnamespace and conparentid = 0 and conrelid <> 0 and conrelid not in (select inhrelid from pg_inherits)
     union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal and tgparentid = 0
     union all select relname || ' ' || relrowsecurity || relforcerowsecurity from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by 1`,
  )
  return found.map(({ rule }) => rule)
}

const filesBelow = (of: string) =>
  readdirSync(of, { recursive: true, encoding: 'utf8' }).map((name) => path.join(of, name))

describe('a service', () => {
  test('is copied to a folder for its owner alone, which is whole', async () => {
    assert.match(await backup(config, target), /1 repositories, 4 files\. The secret key is not in it/)
    const { problems, notes } = await verify(config, target)
    assert.deepEqual(problems, [])
    assert.match(notes.join(), /The backup is whole/)
    for (const file of [target, ...filesBelow(target)]) assert.equal(statSync(file).mode & 0o077, 0, file)
  })

  test('comes back with every row of every table, with its keys, triggers and row security, and goes on counting', async () => {
    const place = await emptyPlace(pool)
    assert.match(await restore(configOf(place.env), target), /Start the service/)
    const tables = await tablesOf(pool)
    assert.deepEqual(await tablesOf(place.pool), tables)
    for (const name of tables) {
      const content = await contentOf(pool, name)
      assert.deepEqual(await contentOf(place.pool, name), content, name)
      assert.ok(content.length, `${name} has no row to compare`)
    }
    assert.deepEqual(await rulesOf(place.pool), await rulesOf(pool))
    assert.deepEqual(await rows(place.pool, 'select unprotected_tables()'), [])
    assert.deepEqual(await migrate(place.pool), [])
    for (const name of ['runs_id_seq', 'repos_id_seq', 'users_id_seq']) {
      const next = (db: pg.Pool) => one(db, `select nextval('${name}') as id`)
      assert.deepEqual(await next(place.pool), await next(pool), name)
    }
    const [files, restored] = [app.config.dataDir, place.dataDir].map((dataDir) =>
      filesBelow(path.join(dataDir, 'blobs'))
        .map((file) => path.basename(file))
        .sort(),
    )
    assert.deepEqual(restored, files)
    assert.deepEqual(
      await place.names(),
      readdirSync(path.join(app.config.dataDir, 'git')).filter((name) => /^\d+$/.test(name)),
    )
  })

  test('gives a run that was in progress the time that it had left, however old the backup is', async () => {
    const old = path.join(folder, 'old')
    cpSync(target, old, { recursive: true })
    const taken = new Date(Date.now() - 48 * 60 * 60_000)
    rewriteManifest(old, (manifest) => (manifest.takenAt = taken.toISOString()))
    const place = await emptyPlace(pool)
    await restore(configOf(place.env), old)
    const begun = (db: pg.Pool) =>
      one<{ heldAt: number; endedAt: number }>(
        db,
        `select extract(epoch from max(turn_started_at) filter (where status = 'in_progress'))::float8 as "heldAt",
           extract(epoch from max(turn_started_at) filter (where status = 'failed'))::float8 as "endedAt" from run_heads`,
      )
    const [before, after] = [await begun(pool), await begun(place.pool)]
    assert.ok(Math.abs(after.heldAt - before.heldAt - 48 * 60 * 60) < 60, String(after.heldAt - before.heldAt))
    assert.equal(after.endedAt, before.endedAt)
  })

  test('can be copied without its files, which is said', async () => {
    const without = path.join(folder, 'without')
    assert.match(await backup(config, without, { withoutBlobs: true }), /no files \(--without-blobs\)/)
    assert.ok(!existsSync(path.join(without, 'blobs')))
    const { problems, notes } = await verify(config, without)
    assert.deepEqual(problems, [])
    assert.match(notes.join(), /their store has to be kept/)
  })

  test('is told which of its files are missing', async () => {
    const lost = await rows<{ organizationId: number; sha256: string }>(
      pool,
      '(select organization_id, sha256 from artifacts limit 1) union all (select organization_id, sha256 from log_archives limit 1)',
    )
    const bytes = await Promise.all(lost.map((key) => blobs.get(key)))
    for (const key of lost) await blobs.delete(key)
    const lossy = path.join(folder, 'lossy')
    assert.match(await backup(config, lossy), /2 files that runs refer to are missing/)
    const { problems } = await verify(config, lossy)
    for (const { sha256 } of lost)
      assert.ok(
        problems.some((problem) => problem.includes(`${sha256} is missing, and a run refers to it`)),
        problems.join(),
      )
    assert.ok(problems.every((problem) => lost.some(({ sha256 }) => problem.includes(sha256))))
    for (const [n, { organizationId }] of lost.entries()) await blobs.put(organizationId, bytes[n]!)
  })
})

describe('a service whose files lie in S3', () => {
  test('is copied with them, whatever the store does meanwhile, and they come back to another one', async (t) => {
    const store = await startS3Server()
    t.after(() => store[Symbol.asyncDispose]())
    const inStore = (prefix: string) => ({
      RUNWRIGHT_BLOBS: `s3://${s3Settings.bucket}/${prefix}`,
      RUNWRIGHT_S3_ENDPOINT: store.url,
      RUNWRIGHT_S3_REGION: s3Settings.region,
      RUNWRIGHT_S3_ACCESS_KEY_ID: s3Settings.accessKeyId,
      RUNWRIGHT_S3_SECRET_ACCESS_KEY: s3Settings.secretAccessKey,
    })
    const here = configOf({ DATABASE_URL: url, RUNWRIGHT_DATA_DIR: app.config.dataDir, ...inStore('before') })
    const s3 = openBlobs(here, systemClock)
    for await (const key of blobs.list()) await s3.put(key.organizationId, (await blobs.get(key))!)
    store.fail({ kind: 'status', status: 503, code: 'SlowDown' }, Infinity)
    await assert.rejects(backup(here, path.join(folder, 'away')), /503/)
    await assert.rejects(verify(here, path.join(folder, 'away')), /is not a whole backup/)
    store.heal()
    store.fail({ kind: 'damage' })
    await assert.rejects(backup(here, path.join(folder, 'damaged')), /is damaged in the store of files/)
    const bucket = path.join(folder, 'bucket')
    assert.match(await backup(here, bucket), /1 repositories, 4 files/)
    assert.deepEqual((await verify(here, bucket)).problems, [])
    const place = await emptyPlace(pool)
    assert.match(await restore(configOf({ ...place.env, ...inStore('after') }), bucket), /Start the service/)
    const below = (prefix: string) =>
      new Map(
        [...store.objects]
          .filter(([name]) => name.startsWith(`${prefix}/`))
          .map(([name, { bytes }]) => [name.slice(prefix.length), bytes.toString('hex')]),
      )
    assert.equal(below('before').size, 4)
    assert.deepEqual(below('after'), below('before'))
    assert.ok(!existsSync(path.join(place.dataDir, 'blobs')))
  })
})

const makeDue = () =>
  pool.query(
    `insert into storage (organization_id, scope, id, look_at) select organization_id, 'repo', id, now() from repos
     where removed_at is null on conflict (organization_id, scope, id) do update set look_at = now()`,
  )

describe('while a backup is made', () => {
  test('nothing is collected, and no second one begins; when it has ended, however it did, both go on', async () => {
    const holder = await pool.connect()
    await holder.query('select pg_advisory_lock($1)', [collectingLock])
    assert.equal(await mayCollect(pool), false)
    await pool.query(`update blobs set look_at = now() - interval '1 hour'`)
    await pool.query(
      `insert into blobs (organization_id, sha256, bytes, look_at) values (1, repeat('a', 64), 5, now() - interval '1 hour')`,
    )
    assert.equal(await sweepBlobs(pool, blobs), 0)
    await makeDue()
    let isCollected = false
    const admin = {
      ...app.hosts.admin,
      collect: async (...[repo, options]: Parameters<typeof app.hosts.admin.collect>) => {
        isCollected = (await app.hosts.admin.collect(repo, options)) !== null
        return null
      },
    }
    await collectRepositories({ pool, hosts: { admin }, config: { gitUrl: null } })
    assert.equal(isCollected, false)
    await holder.query('select pg_advisory_lock(727006)')
    await assert.rejects(backup(config, path.join(folder, 'second')), /Another backup of this service is being made/)
    holder.release(true)
    while (!(await mayCollect(pool))) continue
    assert.ok((await sweepBlobs(pool, blobs)) > 0)
    await makeDue()
    await collectRepositories({ pool, hosts: { admin }, config: { gitUrl: null } })
    assert.equal(isCollected, true)
  })
})

describe('is refused with what to do:', () => {
  const refuses = async (work: Promise<unknown>, why: RegExp) =>
    assert.rejects(work, { name: 'BackupError', message: why })

  test('a folder that is there, or is a part of the service', async () => {
    await refuses(backup(config, target), /is there already/)
    await refuses(backup(config, path.join(app.config.dataDir, 'git', 'here')), /which the backup copies/)
  })

  test('a place without the repositories, such as the machine of a worker', async () => {
    const elsewhere = configOf({ DATABASE_URL: url, RUNWRIGHT_DATA_DIR: path.join(folder, 'elsewhere') })
    await refuses(backup(elsewhere, path.join(folder, 'nowhere')), /None of the \d+ repositories of this service is in/)
  })

  test('a database in which there is no service, or a newer one', async () => {
    const place = await emptyPlace(pool)
    await refuses(backup(configOf(place.env), path.join(folder, 'nothing')), /There is no service in this database/)
    await pool.query(`insert into migrations (name, digest) values ('9999-later.sql', 'x')`)
    await refuses(
      backup(config, path.join(folder, 'newer')),
      /migration 9999-later\.sql, which this Runwright does not know/,
    )
    await pool.query(`delete from migrations where name = '9999-later.sql'`)
    assert.deepEqual(
      readdirSync(folder).filter((name) => /nothing|newer|second|unfinished/.test(name)),
      [],
    )
  })

  test('a service that is not empty', async () => {
    const started = await emptyPlace(pool)
    await migrate(started.pool)
    await makeOrganization(started.pool)
    await refuses(restore(configOf(started.env), target), /The database is not empty: there are rows in organizations/)
    assert.deepEqual(await started.names(), [])
    const used = await emptyPlace(pool)
    mkdirSync(path.join(used.dataDir, 'git/7/3.git'), { recursive: true })
    await refuses(restore(configOf(used.env), target), /folder of repositories is not empty/)
    assert.deepEqual(await used.names(), ['7'])
  })

  test('a key that is not there or another one, unless it is given up', async () => {
    const place = await emptyPlace(pool)
    const keyless = readConfig(place.env, { root: folder })
    await refuses(restore(keyless, target), /There is no secret key here/)
    assert.equal(existsSync(place.dataDir), false)
    const other = readConfig(
      { ...place.env, RUNWRIGHT_SECRET_KEY: 'a key of another service altogether' },
      { root: folder },
    )
    await refuses(restore(other, target), /The secret key here is not the one of this backup/)
    assert.match((await verify(other, target)).problems.join(), /The secret key here is not the one/)
    assert.match((await verify(keyless, target)).notes.join(), /no secret key here to compare/)
    assert.match(await restore(keyless, target, { withoutKey: true }), /Restored/)
    assert.equal(existsSync(path.join(place.dataDir, 'secret-key')), false)
  })

  test('what is no backup, and words that are none', async () => {
    const nothing = path.join(folder, 'no-backup')
    mkdirSync(nothing)
    writeFileSync(path.join(nothing, 'file'), '')
    await refuses(verify(config, nothing), /is not a whole backup/)
    await refuses(runBackupCommand(config, 'verify', []), /Name one folder/)
    await refuses(runBackupCommand(config, 'backup', ['one', 'two']), /Name one folder.*--without-blobs/)
    await refuses(runBackupCommand(config, 'restore', ['--without-blobs', 'one']), /Name one folder.*--without-key/)
  })
})
