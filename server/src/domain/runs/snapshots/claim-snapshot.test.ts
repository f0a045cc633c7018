import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { claimSnapshot } from './claim-snapshot.ts'
import { finishSnapshot } from './finish-snapshot.ts'
import { releaseSnapshot } from './release-snapshot.ts'
import { renewSnapshot } from './renew-snapshot.ts'
import { snapshotKey } from './snapshot-key.ts'
import { sweepSnapshots } from './sweep-snapshots.ts'

const db = await testDb()

async function makeRepo(): Promise<{ organizationId: number; repoId: number; place: string }> {
  const { id: organizationId } = await makeOrganization(db)
  const { rows } = await db.query(
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'one', 'one', 'main') returning id`,
    [organizationId],
  )
  return { organizationId, repoId: (rows[0] as { id: number }).id, place: randomUUID() }
}

type Place = Awaited<ReturnType<typeof makeRepo>>
const claim = (place: Place, maker: string, key = 'key') =>
  claimSnapshot(db, { ...place, key, baseCommit: 'abc', maker })
/** As if so long had passed. */
const age = ({ place }: Place, column: string) =>
  db.query(`update snapshots set ${column} = ${column} - interval '1 hour' where place = $1`, [place])
const idsOf = (place: Place, n: number, maker: string) => ({ ...place, n, maker })

test('of all who need the same one makes it, and others wait for it', async () => {
  const place = await makeRepo()
  const makers = Array.from({ length: 5 }, () => randomUUID())
  const claims = await Promise.all(makers.map((maker) => claim(place, maker)))
  assert.equal(claims.filter(({ isMine }) => isMine).length, 1)
  assert.deepEqual(new Set(claims.map(({ n, state }) => `${n} ${state}`)), new Set(['1 making']))
  const maker = makers[claims.findIndex(({ isMine }) => isMine)]!
  assert.equal(await renewSnapshot(db, idsOf(place, 1, maker)), true)
  assert.equal(await renewSnapshot(db, idsOf(place, 1, randomUUID())), false)
  assert.equal(await finishSnapshot(db, { ...idsOf(place, 1, maker), state: 'ready', bytes: 7, durationMs: 1.5 }), true)
  assert.partialDeepStrictEqual(await claim(place, randomUUID()), { n: 1, state: 'ready', bytes: 7, isMine: false })
  // Another machine makes its own, and so does another key.
  assert.partialDeepStrictEqual(await claim({ ...place, place: 'elsewhere' }, maker), { n: 2, isMine: true })
  assert.partialDeepStrictEqual(await claim(place, maker, 'other'), { n: 3, isMine: true })
})

test('what a lost maker began another makes anew, and the lost one changes nothing more', async () => {
  const place = await makeRepo()
  const [lost, next] = [randomUUID(), randomUUID()]
  await claim(place, lost)
  await age(place, 'made_until')
  assert.partialDeepStrictEqual(await claim(place, next), { n: 2, isMine: true })
  assert.equal(await finishSnapshot(db, { ...idsOf(place, 1, lost), state: 'ready', bytes: 1 }), false)
  assert.equal(await renewSnapshot(db, idsOf(place, 2, lost)), false)
  await releaseSnapshot(db, idsOf(place, 2, lost))
  assert.partialDeepStrictEqual(await claim(place, lost), { n: 2, state: 'making', isMine: false })
  await releaseSnapshot(db, idsOf(place, 2, next))
  assert.partialDeepStrictEqual(await claim(place, lost), { n: 3, isMine: true })
})

test('a failure counts for a while', async () => {
  const place = await makeRepo()
  const maker = randomUUID()
  await claim(place, maker)
  const problem = { message: 'no', command: 'make', exitCode: 2, output: 'no' }
  await finishSnapshot(db, { ...idsOf(place, 1, maker), state: 'failed', problem })
  for (let round = 0; round < 2; round++)
    assert.partialDeepStrictEqual(await claim(place, maker), { n: 1, state: 'failed', problem, isMine: false })
  await age(place, 'used_at')
  assert.partialDeepStrictEqual(await claim(place, maker), { n: 2, isMine: true })
})

test('beyond the room of a machine those go that were not used for longest', async () => {
  const place = await makeRepo()
  const maker = randomUUID()
  for (const [n, key] of ['one', 'two', 'three'].entries()) {
    await claim(place, maker, key)
    await finishSnapshot(db, { ...idsOf(place, n + 1, maker), state: 'ready', bytes: 100 })
  }
  await claim(place, maker, 'one')
  await claim(place, maker, 'at work')
  const name = (n: number) => `${place.organizationId}-${place.repoId}-${n}`
  const swept = await sweepSnapshots(db, { place: place.place, bytesMax: 200 })
  assert.deepEqual(swept, { making: new Set([name(4)]), ready: new Set([name(1), name(3)]) })
  await age(place, 'made_until')
  const none = await sweepSnapshots(db, { place: place.place, bytesMax: 0 })
  assert.deepEqual(none, { making: new Set(), ready: new Set() })
})

test('a key is the same as long as nothing changes of which setup depends', () => {
  const files = [
    { path: 'package-lock.json', id: '1' },
    { path: 'scripts/setup.sh', id: '2' },
    { path: 'src/a.ts', id: '3' },
    { path: 'web/package.json', id: '4' },
  ]
  const options = { commands: ['./scripts/setup.sh --all'], secretNames: ['B', 'A'], machine: 'm', files }
  const key = snapshotKey(options)
  const changed = (path: string) => files.map((file) => (file.path === path ? { ...file, id: 'x' } : file))
  assert.equal(snapshotKey({ ...options, secretNames: ['A', 'B'], files: changed('src/a.ts') }), key)
  const others = [
    { commands: ['./scripts/setup.sh'] },
    { commands: [...options.commands, 'make'] },
    { secretNames: ['A'] },
    { machine: 'n' },
    ...['package-lock.json', 'scripts/setup.sh', 'web/package.json'].map((path) => ({ files: changed(path) })),
    { files: files.slice(1) },
  ]
  assert.equal(new Set([key, ...others.map((other) => snapshotKey({ ...options, ...other }))]).size, others.length + 1)
})
