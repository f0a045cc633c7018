import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { sayIn, testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { openBubblewrap } from './bubblewrap.ts'
import { openFirst } from './open-first.ts'
import { openUnsafe } from './unsafe.ts'

const { base } = testSandboxes()
const broken = () => openBubblewrap({ folder: path.join(base, 'broken'), bubblewrap: '/no/such/bwrap' })
const working = () => openBubblewrap({ folder: path.join(base, 'working') })

test('takes the first that works, and says that it does', async () => {
  const first = openFirst([working(), broken()])
  const { isolated, notes } = await first.probe()
  assert.ok(isolated)
  assert.equal(notes[0], 'RUNWRIGHT_SANDBOX is auto, and bubblewrap works here.')
  assert.deepEqual((await first.probe()).notes, notes)
})

test('takes the next where the first does not work, and says why', async () => {
  const next = openFirst([broken(), working()])
  // Whoever asks for a sandbox at once waits for the choice.
  const [{ isolated, notes }, sandbox] = await Promise.all([
    next.probe(),
    next.create({ id: 'first', limits: testLimits }),
  ])
  assert.ok(isolated)
  assert.match(notes[0]!, /bubblewrap does not work here: .*apt-get install bubblewrap/)
  assert.equal(await sayIn(sandbox, 'echo inside'), 'inside')
  assert.ok((await next.list()).includes('first'))
  await next.remove('first')
})

test('says of each why, where none works, and looks again when it is asked again', async () => {
  const none = openFirst([broken(), openUnsafe({ folder: path.join(base, 'unsafe') })])
  const { isolated, problems } = await none.probe()
  assert.equal(isolated, false)
  assert.match(problems.join('\n'), /^bubblewrap: .*apt-get install bubblewrap.*\nunsafe: .*without isolation$/)
  await assert.rejects(none.create({ id: 'any', limits: testLimits }), /apt-get install bubblewrap/)
})
