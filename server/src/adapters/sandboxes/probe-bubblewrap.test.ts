/** What a machine that is not fit for sandboxes is told. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { openBubblewrap } from './bubblewrap.ts'

const isRoot = process.getuid?.() === 0
const { base, folder } = testSandboxes()

test('says how to install bubblewrap where it is missing', async () => {
  const without = openBubblewrap({ folder: path.join(base, 'without'), bubblewrap: '/no/such/bwrap' })
  const status = await without.probe()
  assert.equal(status.isolated, false)
  assert.match(status.problems.join(), /apt-get install bubblewrap/)
  await assert.rejects(without.create({ id: 'any', limits: testLimits }), /apt-get install bubblewrap/)
})

test('says why bubblewrap could not start', async () => {
  const broken = openBubblewrap({ folder: path.join(base, 'broken'), bubblewrap: '/bin/false' })
  const status = await broken.probe()
  assert.equal(status.isolated, false)
  assert.match(status.problems.join(), /did not start/)
})

test('never runs as user 0', { skip: !isRoot && 'only root can choose a user' }, () => {
  assert.throws(() => openBubblewrap({ folder, uid: 0 }), /must not run as user 0/)
})

test(
  'names the folder that keeps the sandboxes out',
  { skip: !isRoot && 'only root has another user for sandboxes' },
  async () => {
    const closed = path.join(base, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const hidden = openBubblewrap({ folder: path.join(closed, 'sandboxes') })
    assert.match(
      (await hidden.probe()).problems.join(),
      new RegExp(`${closed} is closed to the sandboxes' user 64900.*chmod o\\+x ${closed}`),
    )
    await assert.rejects(hidden.create({ id: 'any', limits: testLimits }), /is closed to the sandboxes' user/)
  },
)

test(
  "does not share a user with somebody else's programs",
  { skip: !isRoot && 'only root can choose a user' },
  async () => {
    const shared = openBubblewrap({ folder: path.join(base, 'shared'), uid: 65_534 })
    const status = await shared.probe()
    assert.equal(status.isolated, false)
    assert.match(status.problems.join(), /user 65534 is "nobody" on this machine/)
  },
)

test('says what would be held better, and nothing where all is', async () => {
  const { notes, enforcement } = await openBubblewrap({ folder }).probe()
  assert.equal(/the service's own user/.test(notes.join()), !isRoot)
  assert.equal(/memory is looked at/.test(notes.join()), enforcement.memory === 'polled')
})
