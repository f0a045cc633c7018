import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { seededRandom } from '#test/chaos/random.ts'
import { startModelServer } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { priceList } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const events = 3_000
const atOnce = 8
const longestMs = 10 * 60_000

test(
  'three thousand times an agent hears what it has said and pushed itself, and does nothing again',
  { timeout: longestMs },
  async () => {
    await using model = await startModelServer(({ text }) =>
      text.includes('looked-around')
        ? { calls: [{ name: 'finish', input: { summary: '@runwright is done.', checks: [] } }] }
        : { calls: [{ name: 'shell', input: { command: 'echo looked-around | tee looked.txt' } }] },
    )
    const db = await testDb()
    const { github, repository, ada, service, runs, untilRun, botToken } = await startOnGitHub({
      databaseUrl: db.url,
      files: priceList,
      env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
      defer: after,
    })
    repository.workflow = null
    const at = '/repos/acme/price-list'
    const asked = { title: 'Look around', body: '@runwright look around' }
    const { number } = await ada.ask<{ number: number }>('POST', `${at}/issues`, asked)
    const run = await service.untilRun((await untilRun()).id, ({ status }) => status === 'completed')
    const pull = run.github_pull_requests[0]!.number
    await until(async () => repository.comments.length > 0, 'the answer is told')
    await github.settled()

    const token = botToken()
    const ask = async (method: string, path: string, body: object): Promise<{ id: number }> => {
      const headers = { authorization: `token ${token}`, 'user-agent': 'test' }
      const response = await fetch(github.apiUrl + at + path, { method, headers, body: JSON.stringify(body) })
      assert.ok(response.ok, `${method} ${path}: ${response.status}`)
      return (await response.json()) as { id: number }
    }
    for (let n = 1; n <= 20; n++) {
      const body = { body: `@runwright once more ${n}` }
      for (const on of [number, pull]) {
        const { id } = await ask('POST', `/issues/${on}/comments`, { body: 'Once more' })
        await ask('PATCH', `/issues/comments/${id}`, body)
        await ask('POST', `/issues/${on}/comments`, body)
      }
      await ask('POST', `/pulls/${pull}/reviews`, { event: 'COMMENT', ...body })
      await ask('POST', `/issues/${number}/labels`, { labels: ['runwright'] })
      await ask('DELETE', `/issues/${number}/labels/runwright`, {})
      const head = await repository.git('rev-parse', run.branch!)
      const sha = await repository.git(...as, 'commit-tree', `${head}^{tree}`, '-p', head, '-m', `Again ${n}`)
      await ask('PATCH', `/git/refs/heads/${run.branch}`, { sha })
    }
    await github.settled()

    const own = github.deliveries.all.filter(({ body }) => JSON.parse(body).sender.type === 'Bot')
    const kinds = new Set(own.map(({ event, action }) => `${event} ${action ?? ''}`.trim()))
    for (const kind of ['issue_comment created', 'issue_comment edited', 'issues labeled', 'push'])
      assert.ok(kinds.has(kind), kind)
    const random = seededRandom(10_000)
    let left = events - own.length
    const send = async () => {
      while (left-- > 0) {
        const delivery = own[random.between(0, own.length - 1)]!
        // Of what has a new name nobody sees at once that it is old.
        const headers = random.between(0, 1) ? { 'x-github-delivery': randomUUID() } : {}
        assert.equal(await github.deliveries.send(delivery, { headers }), 202)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, send))

    const waiting = `select (select count(*) from webhook_deliveries where done_at is null)
      + (select count(*) from host_events where done_at is null) as count`
    await until(
      async () => Number((await db.query(waiting)).rows[0].count) === 0,
      'all that happened is worked off',
      longestMs / 2,
    )
    const [only, ...others] = await runs()
    assert.deepEqual([only?.id, others], [run.id, []])
    assert.equal((await service.untilEnded(run.id))['turn'], 1)
    const { rows } = await db.query('select from messages')
    const agents = await db.query(`select state->>'phase' as phase from pull_agents`)
    assert.deepEqual(agents.rows, [{ phase: 'waiting_checks' }], 'nor has it taken its own pushes for a person’s')
    assert.equal(rows.length, 1, 'what was asked for, once')
  },
)

const as = ['-c', 'user.name=Runwright', '-c', 'user.email=runwright@example.com']
