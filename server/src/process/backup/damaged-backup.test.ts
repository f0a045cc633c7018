import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { readConfig } from '#base/config/config.ts'
import { maybeOne } from '#db/pool.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { commitTo } from '#test/commit-to.ts'
import { emptyPlace } from '#test/empty-place.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeOrganization } from '#test/make.ts'
import { rewriteManifest } from '#test/rewrite-manifest.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { backup } from './backup.ts'
import type { Manifest } from './manifest.ts'
import { restore } from './restore.ts'
import { verify } from './verify.ts'

const db = await testDb()
const folder = await testFolder()
const dataDir = path.join(folder, 'data')
const configOf = (env: Record<string, string>) => readConfig(env, { root: folder })
const config = configOf({ DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: dataDir })
const whole = path.join(folder, 'whole')
/** Nothing that is refused leaves anything there, so all refusals share it. */
const place = await emptyPlace(db)

before(async () => {
  const blobs = openFileBlobs({ folder: path.join(dataDir, 'blobs') })
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const repo = await createRepo(db, {
    organizationId,
    admin: openLocalHost({ folder: path.join(dataDir, 'git') }),
    name: 'web',
  })
  commitTo(path.join(dataDir, 'git', repo.path), { branch: 'main', files: { 'read.me': 'hello '.repeat(1_000) } })
  await makeFullRun(db, { word: 'kept', blobs, organizationId, userId, repoId: repo.id })
  await backup(config, whole)
})

let copies = 0
/** A copy of the backup, with this damage done to it. */
async function damage(harm: (copy: string) => void | Promise<void>): Promise<string> {
  const copy = path.join(folder, `copy-${++copies}`)
  cpSync(whole, copy, { recursive: true })
  await harm(copy)
  return copy
}

async function refused(copy: string, why: RegExp, { isRestorable = false } = {}): Promise<void> {
  const problems = await verify(config, copy).then(
    (found) => found.problems,
    (error: Error) => [error.message],
  )
  assert.match(problems.join('\n'), why)
  if (isRestorable) return
  await assert.rejects(restore(configOf(place.env), copy), (error: Error) => {
    assert.equal(error.name, 'BackupError', error.stack)
    return true
  })
  const rows = await maybeOne(
    place.pool,
    `select to_regclass('organizations') is null or not exists (select from organizations) as "isEmpty"`,
  ).catch(() => maybeOne(place.pool, 'select true as "isEmpty"'))
  assert.deepEqual(rows, { isEmpty: true })
  assert.deepEqual(await place.names(), [])
}

const one = (copy: string, pattern: string) =>
  path.join(copy, globSync(pattern, { cwd: copy })[0] ?? assert.fail(pattern))

function flip(file: string): void {
  const bytes = readFileSync(file)
  const at = bytes.length >> 1
  bytes[at] = bytes[at]! ^ 1
  rmSync(file)
  writeFileSync(file, bytes)
}

type Listed = { path: string; bytes: number; sha256: string }

/** The same in the list of files. */
function relist(copy: string, change: (files: Listed[]) => Listed[]): void {
  const file = path.join(copy, 'files.jsonl.gz')
  const files = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed)
  const changed = change(files)
  const bytes = gzipSync(changed.map((listed) => `${JSON.stringify(listed)}\n`).join(''))
  writeFileSync(file, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  rewriteManifest(copy, (manifest) => (manifest.files = { count: changed.length, bytes: bytes.length, sha256 }))
}

const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a file that is cut off, or has another bit, is found by its name, wherever it is', async () => {
  for (const pattern of ['tables/runs.copy.gz', 'git/*/*.git/objects/*/*', 'git/*/*.git/packed-refs', 'blobs/*/*/*']) {
    const cut = await damage((copy) => truncateSync(one(copy, pattern), 10))
    await refused(cut, new RegExp(`${path.relative(cut, one(cut, pattern))}.*(damaged|unpacked)`))
    const flipped = await damage((copy) => flip(one(copy, pattern)))
    await refused(flipped, new RegExp(`${path.relative(flipped, one(flipped, pattern))} is damaged`))
    const gone = await damage((copy) => rmSync(one(copy, pattern)))
    await refused(gone, /cannot be read/)
  }
  for (const name of ['manifest.json', 'files.jsonl.gz']) {
    await refused(await damage((copy) => flip(path.join(copy, name))), new RegExp(`${name} is damaged`))
    await refused(await damage((copy) => truncateSync(path.join(copy, name), 100)), new RegExp(`${name} is damaged`))
    await refused(await damage((copy) => rmSync(path.join(copy, name))), /no manifest\.json|cannot be read/)
  }
})

test('a manifest that lies about rows, tables, columns or files is found out', async () => {
  const lies: [RegExp, (manifest: Manifest) => void][] = [
    [
      /has 1 rows, and the manifest says 2/,
      ({ tables }) => tables.find(({ name }) => name === 'organizations')!.rows++,
    ],
    [/files\.jsonl\.gz lists/, ({ files }) => files.count++],
    [/repositories, and the manifest says/, (manifest) => manifest.repositories++],
  ]
  for (const [why, change] of lies)
    await refused(await damage((copy) => rewriteManifest(copy, change)), why, {
      isRestorable: /repositories/.test(why.source),
    })
  const restored: [RegExp, (manifest: Manifest) => void][] = [
    [/other tables than the backup/, ({ tables }) => tables.pop()],
    [/other tables than the backup/, ({ tables }) => tables[0]!.columns.reverse().pop()],
    [/does not know/, ({ migrations }) => migrations.push({ name: '9999-later.sql', digest: digest('') })],
    [/another one than in this Runwright/, ({ migrations }) => (migrations[3]!.digest = digest(''))],
    [/cannot be restored/, ({ tables }) => tables.find(({ name }) => name === 'runs')!.columns.reverse()],
    [/has a sequence/, ({ sequences }) => (sequences[0]!.name = 'other')],
  ]
  for (const [why, change] of restored)
    await assert.rejects(restore(configOf(place.env), await damage((copy) => rewriteManifest(copy, change))), why)
  await refused(
    await damage((copy) => rewriteManifest(copy, (manifest) => (manifest.format = 2))),
    /format 2, and this Runwright reads up to 1/,
  )
  await refused(
    await damage((copy) => rewriteManifest(copy, ({ tables }) => (tables[0]!.name = 'x; drop table runs'))),
    /manifest\.json is damaged/,
  )
  await refused(
    await damage((copy) => rewriteManifest(copy, ({ tables }) => (tables[0]!.name = '../../manifest'))),
    /manifest\.json is damaged/,
  )
})

test('rows that do not belong together are not taken in', async () => {
  const copy = await damage((copy) => {
    const file = path.join(copy, 'tables/users.copy.gz')
    const bytes = gzipSync('')
    writeFileSync(file, bytes)
    rewriteManifest(copy, ({ tables }) =>
      Object.assign(
        tables.find(({ name }) => name === 'users')!,
        { rows: 0, bytes: bytes.length, sha256: digest(bytes) },
      ),
    )
  })
  await refused(copy, /^$/)
  await assert.rejects(
    restore(configOf(place.env), copy),
    /rows of the backup do not belong together: .*foreign key constraint/,
  )
})

test('no path leads out of the folder, and nothing in it leads elsewhere', async () => {
  const secret = path.join(folder, 'secret')
  writeFileSync(secret, 'of the machine')
  const listed = { path: '', bytes: 14, sha256: digest('of the machine') }
  for (const name of [
    'git/../../secret',
    '../secret',
    secret,
    'git/1/1.git/objects/../../../../secret',
    'git/1/1.git/config',
    'git/1/1.git/hooks/update',
    'git/1/1.git/objects/info/alternates',
    'blobs/1/../../secret',
  ])
    await refused(
      await damage((copy) => relist(copy, (files) => [...files, { ...listed, path: name }])),
      /names something that no backup has/,
    )
  const linked = await damage((copy) => {
    const file = one(copy, 'blobs/*/*/*')
    writeFileSync(secret, readFileSync(file))
    rmSync(file)
    symlinkSync(secret, file)
  })
  await refused(linked, /leads elsewhere/)
  const far = await damage((copy) => {
    cpSync(path.join(copy, 'git'), path.join(folder, 'elsewhere'), { recursive: true })
    rmSync(path.join(copy, 'git'), { recursive: true })
    symlinkSync(path.join(folder, 'elsewhere'), path.join(copy, 'git'))
  })
  await refused(far, /leads elsewhere/)
})

test('what somebody has put beside the files is told of, and is never read by git', async () => {
  const touched = path.join(folder, 'touched')
  const copy = await damage((copy) => {
    const repository = path.dirname(one(copy, 'git/*/*.git/packed-refs'))
    writeFileSync(
      path.join(repository, 'config'),
      `[core]\n\tfsmonitor = touch ${touched}\n\tsshCommand = touch ${touched}\n`,
    )
    cpSync(path.join(repository, 'packed-refs'), path.join(repository, 'objects', 'extra'))
  })
  await refused(copy, /config is not part of the backup[^]*extra is not part of the backup/, { isRestorable: true })
  const fresh = await emptyPlace(db)
  await restore(configOf(fresh.env), copy)
  assert.ok(!existsSync(touched))
  const config = readFileSync(one(fresh.dataDir, 'git/*/*.git/config'), 'utf8')
  assert.match(config, /bare = true/)
  assert.doesNotMatch(config, /touch/)
})

test('a repository that is not whole, or has names that are none, is found though every digest is right', async () => {
  const lost = await damage((copy) => {
    const object = globSync('git/*/*.git/objects/??/*', { cwd: copy })[0]!
    rmSync(path.join(copy, object))
    relist(copy, (files) => files.filter((file) => file.path !== object))
  })
  await refused(lost, /The repository git\/.* is damaged/)
  for (const line of [
    'refs/heads/../../../config',
    'refs/heads/x.lock',
    'refs/heads/.hidden',
    'nothing',
    'refs/heads/a b',
    'refs/heads/a:b',
  ]) {
    const named = await damage((copy) => {
      const file = one(copy, 'git/*/*.git/packed-refs')
      const text = readFileSync(file, 'latin1')
      const changed = `${text}${/^[0-9a-f]{40}/m.exec(text)![0]} ${line}\n`
      writeFileSync(file, changed)
      const name = path.relative(copy, file)
      relist(copy, (files) =>
        files.map((each) =>
          each.path === name ? { path: name, bytes: changed.length, sha256: digest(changed) } : each,
        ),
      )
    })
    await refused(named, /its list of branches is not in order/)
  }
})

test('a blob that rows refer to and the list does not is missed', async () => {
  const copy = await damage((copy) => {
    const blob = globSync('blobs/*/*/*', { cwd: copy }).sort()[0]!
    rmSync(path.join(copy, blob))
    relist(copy, (files) => files.filter((file) => file.path !== blob))
  })
  await refused(copy, /is missing, and a run refers to it/, { isRestorable: true })
})
