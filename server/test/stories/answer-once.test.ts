import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import net from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '#db/pool.ts'
import { startService, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const env = {
  RUNWRIGHT_SECRET_KEY: randomBytes(32).toString('base64'),
  RUNWRIGHT_RATE_LIMITS: 'creation=0,standard=0',
}
const start = (databaseUrl = db.url) => startService({ databaseUrl, role: 'api', env })

type Outcome = { id: number; isReplay: boolean }

/** Sends the request of this key; undefined when no answer came. */
async function create(service: Service, key: string): Promise<Outcome | undefined> {
  const path = `/v1/organizations/${service.organizationId}/agent/run`
  const headers = { 'idempotency-key': key }
  try {
    const answer = await service.ask('POST', path, { prompt: 'Fix it', title: key, agent_type: 'scripted' }, headers)
    const body = (await answer.json()) as { id: number }
    assert.ok(answer.status === 200 || answer.status === 409 || answer.status === 503, JSON.stringify(body))
    if (answer.status !== 200) return undefined
    return { id: body.id, isReplay: answer.headers.get('idempotency-replayed') === 'true' }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return undefined
  }
}

async function createUntilAnswered(service: Service, key: string): Promise<Outcome> {
  for (;;) {
    const outcome = await create(service, key)
    if (outcome) return outcome
    await sleep(20)
  }
}

const runsOf = async (key: string) =>
  (await rows<{ id: number }>(db, 'select id from runs where title = $1', [key])).map(({ id }) => id)

test('a process killed after the commit and before the answer has made the run that the retry gets', async () => {
  const between = await openBetween(db.url)
  const first = await start(between.url)
  const key = 'of nothing else that is said to the database'
  const committed = between.holdCommit(key)
  const unanswered = create(first, key)
  await committed
  const [made] = await runsOf(key)
  assert.ok(made)
  first.child.kill('SIGKILL')
  assert.equal(await unanswered, undefined)
  const second = await start()
  assert.deepEqual(await create(second, key), { id: made, isReplay: true })
  assert.deepEqual(await runsOf(key), [made])
})

type Between = {
  url: string
  /** Keeps back the answer to the commit of what has this text in it; resolves when the database has given it. */
  holdCommit: (text: string) => Promise<void>
}

/** A way to the database on which the answer to a commit can be kept from the one who asked for it. */
async function openBetween(target: string): Promise<Between> {
  const { hostname, port } = new URL(target)
  let request: { text: string; resolve: () => void } | undefined
  const server = net.createServer((client) => {
    const database = net.connect(Number(port), hostname)
    let isMeant = false
    let isHeld = false
    client.on('data', (bytes) => {
      if (request && bytes.includes(request.text)) isMeant = true
      if (isMeant && bytes.includes('commit\0')) isHeld = true
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (isHeld) request?.resolve()
      else client.write(bytes)
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('close', () => other.destroy())
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => new Promise((resolve) => server.close(resolve)))
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`
  return { url: url.href, holdCommit: (text) => new Promise((resolve) => (request = { text, resolve })) }
}

test('killed at any moment, with retries at two others: one run for each key, and each answer names it', async () => {
  const steady = await start()
  for (let round = 0; round < 5; round++) {
    const victim = await start()
    await create(victim, `warm up ${round}`)
    const keys = Array.from({ length: 6 }, (_, n) => `round ${round} key ${n}`)
    const answers = keys.map((key) => create(victim, key))
    await sleep(randomInt(5, 80))
    victim.child.kill('SIGKILL')
    const retried = await Promise.all(keys.map((key) => createUntilAnswered(steady, key)))
    const first = await Promise.all(answers)
    for (const [n, key] of keys.entries()) {
      assert.deepEqual(await runsOf(key), [retried[n]?.id], key)
      if (first[n]) assert.deepEqual(retried[n], { id: first[n].id, isReplay: true }, key)
    }
  }
})
