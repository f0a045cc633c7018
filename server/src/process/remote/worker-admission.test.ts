import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { newWorkerTokenText } from '#domain/accounts/tokens/token-text.ts'
import type { WorkerGrant } from '#domain/runs/worker-tokens/find-worker-grant.ts'
import { WorkerAdmission } from './worker-admission.ts'

function open() {
  const [grants, lines] = [new Map<string, WorkerGrant>(), [] as string[]]
  const destination = new Writable({
    write: (line: Buffer, _, done) => {
      lines.push(line.toString())
      done()
    },
  })
  let [now, lookUps, isAway] = [0, 0, false]
  const admission = new WorkerAdmission({
    find: async (secret) => {
      lookUps++
      if (isAway) throw new Error('the database is away')
      return grants.get(secret)
    },
    logger: openLogger({ level: 'info', role: 'test', destination }),
    now: () => now,
  })
  return {
    lines,
    lookUps: () => lookUps,
    wait: (ms: number) => (now += ms),
    setAway: (away: boolean) => (isAway = away),
    grant: (organizationId: number | null, tokenId = 1) => {
      const secret = newWorkerTokenText()
      grants.set(secret, { tokenId, organizationId, labels: null })
      return { secret, revoke: () => grants.delete(secret) }
    },
    enter: async (secret: string) => {
      const entered = await admission.enter(secret)
      return 'status' in entered ? entered.status.slice(0, 3) : entered
    },
  }
}
type Entered = Awaited<ReturnType<ReturnType<typeof open>['enter']>>
const leave = (entered: Entered) => typeof entered === 'object' && entered.leave()
const isIn = (entered: Entered) => typeof entered === 'object'

test('a token that was revoked is looked up once, and its attempts are said once a minute', async () => {
  const { grant, enter, lookUps, lines, wait } = open()
  const { secret, revoke } = grant(7)
  leave(await enter(secret))
  revoke()
  for (let n = 0; n < 50; n++) assert.equal(await enter(secret), '401')
  assert.equal(lookUps(), 2)
  assert.equal(lines.length, 1)
  assert.ok(!lines[0]!.includes(secret), 'the line shows how it begins')
  wait(61_000)
  assert.equal(await enter(secret), '401')
  assert.equal(lines.length, 2)
  assert.match(lines[1]!, /"attempts":50/)
})

test('who tries many tokens makes few look-ups, and those who were good come in meanwhile', async () => {
  const { grant, enter, lookUps, lines, wait } = open()
  const { secret } = grant(7)
  leave(await enter(secret))
  const answers = new Set<Entered>()
  for (let n = 0; n < 1_000; n++) answers.add(await enter(newWorkerTokenText()))
  assert.deepEqual(answers, new Set(['401', '429']))
  assert.ok(lookUps() < 150, `${lookUps()} look-ups`)
  assert.equal(lines.length, 2)
  assert.ok(isIn(await enter(secret)))
  wait(10_000)
  assert.ok(isIn(await enter(grant(8, 2).secret)))
})

test('the tokens of one organization let in so many workers together, and nobody elses is kept out by that', async () => {
  const { grant, enter } = open()
  const [one, other, theirs] = [grant(7, 1), grant(7, 2), grant(8, 3)]
  const entered = []
  for (let n = 0; n < 60; n++) entered.push(await enter(n % 2 ? one.secret : other.secret))
  assert.equal(entered.filter(isIn).length, 50)
  assert.ok(isIn(await enter(theirs.secret)))
  assert.equal(await enter(one.secret), '429')
  leave(entered[0]!)
  assert.ok(isIn(await enter(one.secret)))
})

test('who connects again and again does so at a pace', async () => {
  const { grant, enter, wait } = open()
  const [{ secret }, fleet] = [grant(7), grant(null, 2)]
  let count = 0
  const comeAndGo = async (secret: string) => {
    const entered = await enter(secret)
    if (isIn(entered)) count++
    leave(entered)
  }
  for (let n = 0; n < 500; n++) await comeAndGo(secret)
  assert.ok(count <= 151, `${count} times`)
  wait(10_000)
  await comeAndGo(secret)
  assert.ok(count <= 152)
  count = 0
  for (let n = 0; n < 500; n++) await comeAndGo(fleet.secret)
  assert.equal(count, 500, 'the fleet of the operator comes back at once')
})

test('while the database is away nobody is taken for somebody with a wrong token', async () => {
  const { grant, enter, setAway } = open()
  const { secret } = grant(7)
  setAway(true)
  assert.equal(await enter(secret), '503')
  setAway(false)
  assert.ok(isIn(await enter(secret)))
})
