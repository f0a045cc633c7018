// What GitHub itself gives as examples of its webhooks, sent to the service as it stands.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { startOnGitHub } from './start-on-github.ts'

type Payload = Record<string, unknown>
type Example = { event: string; payload: Payload }

const published = path.resolve(import.meta.dirname, '../../github/published/node_modules')
const file = path.join(published, '@octokit/webhooks-examples/api.github.com/index.json')
const examples = (JSON.parse(readFileSync(file, 'utf8')) as { name: string; examples: Payload[] }[]).flatMap(
  ({ name: event, examples }) => examples.map((payload): Example => ({ event, payload })),
)

const db = await testDb()
const { github, repository, installation, ada, service, runs } = await startOnGitHub({
  databaseUrl: db.url,
  defer: after,
})
repository.workflow = null
const hook = github.world.hooks.find((each) => each.owner === installation.app)
assert.ok(hook?.secret)
const { url, secret } = hook
// Most of the examples are about these two.
await ada.ask('POST', '/repos/acme/price-list/issues', { title: 'Spelling error in the README file' })
await ada.push(repository, { branch: 'changes', from: 'main', files: { 'README.md': 'Hello' } })
await ada.ask('POST', '/repos/acme/price-list/pulls', { title: 'Update the README', head: 'changes', base: 'main' })
let log = ''
service.child.stderr?.on('data', (piece: Buffer) => (log += piece.toString()))

async function send({ event, payload }: Example): Promise<number> {
  const body = JSON.stringify(payload)
  const signature = createHmac('sha256', secret ?? '')
    .update(body)
    .digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`,
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

/** Sends all, several at once, and resolves when nothing is left to be done about them. */
async function sendAll(all: Example[]): Promise<void> {
  const waiting = [...all]
  const next = async () => {
    for (let example = waiting.pop(); example; example = waiting.pop())
      assert.equal(await send(example), 202, `${example.event} ${String(example.payload['action'])}`)
  }
  await Promise.all(Array.from({ length: 8 }, next))
  const undone = `select (select count(*) from webhook_deliveries where done_at is null)
    + (select count(*) from host_events where done_at is null) as count`
  await until(async () => Number((await db.query(undone)).rows[0].count) === 0, 'all of them are worked off', 110_000)
}

/** Deliveries of the last `sendAll`, by what became of them. */
async function outcomes(): Promise<Record<string, number>> {
  const { rows } = await db.query(
    `select coalesce(outcome, 'read') as outcome, count(*)::int as count from webhook_deliveries group by 1`,
  )
  await db.query('delete from webhook_deliveries')
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** What was thrown, or worth a warning. */
const faults = () => log.split('\n').filter((line) => /"level":"(?:warn|error|fatal)"|"err":/.test(line))

test('every example of GitHub’s webhooks is taken, and read without a fault', async () => {
  assert.ok(examples.length > 300)
  await sendAll([])
  await outcomes()
  await sendAll(examples)
  const { 'cannot be read': unread = 0, ...others } = await outcomes()
  assert.equal(unread, 0)
  assert.equal(
    Object.values(others).reduce((sum, count) => sum + count, 0),
    examples.length,
  )
  assert.deepEqual(faults(), [])
  assert.deepEqual(await runs(), [])
})

test('nor does one start anything where it is of a connected repository', async () => {
  const { id, name, owner } = repository
  const full_name = `${owner.login}/${name}`
  const own = examples.map(({ event, payload }) => ({
    event,
    payload: {
      ...payload,
      ...(payload['repository'] !== undefined && {
        repository: { ...(payload['repository'] as Payload), id, name, full_name },
      }),
      ...(payload['installation'] !== undefined && {
        installation: { ...(payload['installation'] as Payload), id: installation.id },
      }),
    },
  }))
  await sendAll(own)
  const { read = 0, 'cannot be read': unread = 0 } = await outcomes()
  assert.equal(unread, 0)
  assert.ok(read > 80, `${read} were read`)
  const { rows } = await db.query('select distinct subject from host_events')
  assert.ok(rows.length > 8, `they are about ${rows.length} subjects`)
  assert.deepEqual(faults(), [])
  assert.deepEqual(await runs(), [])
})
