import assert from 'node:assert/strict'
import { once } from 'node:events'
import os from 'node:os'
import { test } from 'node:test'
import { rows } from '#db/pool.ts'
import { makeRepository } from '#test/example-repository.ts'
import type { ModelServerRequest } from '#test/model-server.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { priceList } from './price-list.ts'
import { comments, files, finish, look, numbersIn, startScriptedModel, write } from './three-files.ts'

type Comment = {
  id: number
  body: string
  user_id: number
  thread_id: number | null
  in_reply_to: number | null
  review_id: number | null
  resolved: boolean
  resolved_by: number | null
}

/** Its reviews are of single lines here. */
const onLines = comments.map(({ path, line, body }) => ({ path, line, body }))
const { model, script } = await startScriptedModel()

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
})
const at = `/v1/organizations/${service.organizationId}`
const worker = await service.startWorker()
const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
  name: 'price-list',
  import_from: makeRepository(priceList),
})

/** A run has opened a pull request with the three files. */
script.push(write(files), look, finish('Three files.'))
const { id: runId } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
  prompt: 'Write three files',
  repo_id: repo.id,
  agent_type: 'builtin',
  create_pull_request: true,
})
await service.untilRun(runId, (run) => run.status === 'completed' && run.github_pull_requests.length > 0)
const [pull] = (await service.call<{ items: { id: number; number: number }[] }>('GET', `${at}/prs`)).items
const of = `${at}/prs/${pull!.id}`

const untilTurn = (turn: number) =>
  service.untilRun(runId, (run) => run['turn'] === turn && (run.status === 'completed' || run.status === 'failed'))
const listComments = async () => (await service.call<{ items: Comment[] }>('GET', `${of}/comments?limit=100`)).items
const repliesTo = (all: Comment[], { id }: Comment) => all.filter((each) => each.in_reply_to === id)
const untilHandled = () =>
  until(async () => {
    const waiting = await rows(db, `select 1 as n from jobs where kind in ('host_event', 'status_comment')`)
    return waiting.length === 0
  }, 'all is acted on')

test('a review of 8 comments is one turn, and each of its 8 threads is answered and resolved, once, though a worker is killed between', async () => {
  // The fourth reply waits for a lock, so that the worker can be killed while it is written.
  await db.query(`create function hold_reply() returns trigger language plpgsql as $$
    begin
      if (select count(*) from pull_comments where marker like 'agent-thread:%') >= 3 then
        perform pg_advisory_xact_lock(76);
      end if;
      return new;
    end $$`)
  await db.query(`create trigger hold_reply before insert on pull_comments for each row
    when (new.marker like 'agent-thread:%') execute function hold_reply()`)
  const lock = await db.connect()
  await lock.query('select pg_advisory_lock(76)')

  let asked: ModelServerRequest | undefined
  script.push(
    (request) => {
      asked = request
      return write({
        'one.js': files['one.js'].replace('one6', 'six'),
        'two.js': files['two.js'].replace('two2', 'zwei'),
        'three.js': files['three.js'].replace('three5', 'fuenf'),
      })
    },
    look,
    (request) => {
      const each = (comment: string, n: number) => ({ comment, text: `Seen to ${n}.`, resolved: true })
      return finish(
        'All of it.',
        numbersIn(request).map((comment, n) => each(comment!, n)),
      )
    },
  )
  const review = { verdict: 'request_changes', body: 'Please see to these.', comments: onLines }
  const { id } = await service.call<{ id: number }>('POST', `${of}/reviews`, review)
  await untilTurn(2)
  const waiting = `select 1 as n from pg_locks where locktype = 'advisory' and objid = 76 and not granted`
  await until(async () => (await rows(db, waiting)).length > 0, 'the fourth reply is being written')
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await lock.query('select pg_advisory_unlock(76)')
  lock.release()
  await service.startWorker()

  const threads = async (all: Comment[]) => all.filter((each) => each.review_id === id)
  await until(async () => (await threads(await listComments())).every(({ resolved }) => resolved), 'all are resolved')
  await untilHandled()
  const all = await listComments()
  const begun = await threads(all)
  assert.equal(begun.length, 8)
  for (const first of begun) {
    const [reply, ...more] = repliesTo(all, first)
    assert.equal(more.length, 0, first.body)
    assert.match(reply?.body ?? '', new RegExp(`^Seen to \\d\\.\n\n\\[Run ${runId}\\]\\(http`))
    assert.equal(first.resolved_by, reply?.user_id, 'the agent has settled it')
    assert.ok(numbersIn(asked!).includes(String(first.id)))
  }
  assert.equal(new Set(begun.map((first) => repliesTo(all, first)[0]?.body)).size, 8, 'each has its own answer')
  const prompt = JSON.stringify(asked?.body)
  for (const { body } of comments) assert.ok(prompt.includes(body), body)
  assert.match(prompt, /About line 3 of one\.js/)
  assert.match(prompt, /\+export const three5 = 5/)
  const outside = all.filter(({ thread_id: thread }) => thread === null)
  assert.deepEqual(
    outside.map(({ body }) => body.split('\n')[0]),
    ['All of it.'],
    'what was said of the whole is answered there, once',
  )
  assert.equal((await untilTurn(2))['turn'], 2, 'one turn')
  assert.equal(model.requests.length, 6, 'nothing else was asked of the model')
})

test('who mentions the agent in a thread is answered there, and not elsewhere', async () => {
  const before = await listComments()
  const first = before.find(({ body, review_id: review }) => body === 'Why three?' && review !== null)!
  let asked: ModelServerRequest | undefined
  script.push((request) => {
    asked = request
    const comment = numbersIn(request).at(-1)!
    return finish('See there.', [{ comment, text: 'Because it counts from one.', resolved: false }])
  })
  await service.call('PATCH', `${of}/comments/${first.id}`, { resolved: false })
  const words = { body: '@runwright but where does it begin?', in_reply_to: first.id }
  const { id } = await service.call<Comment>('POST', `${of}/comments`, words)
  await untilTurn(3)
  await until(async () => repliesTo(await listComments(), first).length === 3, 'it is answered')
  await untilHandled()
  const all = await listComments()
  assert.equal(all.length, before.length + 2)
  assert.match(repliesTo(all, first).at(-1)!.body, /^Because it counts from one\./)
  assert.equal(all.find(({ id }) => id === first.id)?.resolved, false, 'nobody has said that it is settled')
  assert.match(asked!.text, new RegExp(`on line 3 of three\\.js \\(comment ${id}\\)`))
  assert.match(JSON.stringify(asked?.body), /The diff up to there[^]*\+export const three3 = 3/)
  assert.match(JSON.stringify(asked?.body), /Why three\?/, 'with what was said in it before')
})

test('a reply that mentions nobody is between people, where mentions are needed', async () => {
  await service.call('PATCH', at, { settings: { require_mentions: true } })
  const [first] = await listComments()
  await service.call('POST', `${of}/comments`, { body: 'Never mind.', in_reply_to: first!.id })
  await untilHandled()
  assert.equal((await untilTurn(3))['turn'], 3)
  assert.equal(model.requests.length, 7)
})
