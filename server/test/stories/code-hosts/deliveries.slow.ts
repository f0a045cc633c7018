import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '#test/chaos/random.ts'
import { testDb } from '#test/test-db.ts'
import { priceList } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const issues = 100
const wordsEach = 8
const longestMs = 10 * 60_000

test(
  'a thousand webhooks, each sent one to five times in any order, have one effect each',
  { timeout: longestMs },
  async () => {
    const db = await testDb()
    const { github, repository, ada, mallory, service, at } = await startOnGitHub({
      databaseUrl: db.url,
      files: priceList,
      defer: after,
    })
    repository.workflow = null
    // Runs wait for a worker that never comes, so that what they are told stays to be counted.
    await service.call('PATCH', at, { labels: ['nowhere'] })
    await github.settled()
    const { length: before } = github.deliveries.all
    github.deliveries.hold()
    const words: string[] = []
    for (let issue = 1; issue <= issues; issue++) {
      const mention = (n: number) => `@runwright word-${issue}-${n}-end`
      const say = { title: `Issue ${issue}`, body: mention(0) }
      const { number } = await ada.ask<{ number: number }>('POST', '/repos/acme/price-list/issues', say)
      words.push(mention(0))
      for (let n = 1; n <= wordsEach; n++) {
        await ada.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, { body: mention(n) })
        words.push(mention(n))
      }
      await mallory.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, { body: '@runwright of-mallory' })
    }
    assert.equal(github.deliveries.all.length - before, 1_000)
    const random = seededRandom(1_000)
    github.deliveries.disturb({ random, timesMax: 5, atOnce: 4 })
    github.deliveries.release()
    await github.settled()

    const count = async (what: string) =>
      Number((await db.query(`select count(*) as count from ${what}`)).rows[0].count)
    const open = () =>
      count(
        `(select from webhook_deliveries where done_at is null union all select from host_events where done_at is null) as waiting`,
      )
    const deadline = Date.now() + longestMs / 2
    while ((await open()) > 0) {
      assert.ok(Date.now() < deadline, `${await open()} are still waiting\n${service.said()}`)
      await sleep(200)
    }
    assert.equal(await count(`webhook_deliveries where event in ('issues', 'issue_comment')`), 1_000)
    assert.equal(await count('runs'), issues)
    const { rows } = await db.query<{ entry: string; run_id: number }>(
      'select run_id, entry::text as entry from messages where entry is not null',
    )
    assert.equal(rows.length, words.length)
    for (const word of words) assert.equal(rows.filter(({ entry }) => entry.includes(word)).length, 1, word)
    assert.ok(rows.every(({ entry }) => !entry.includes('of-mallory')))
    const perRun = Map.groupBy(rows, ({ run_id }) => run_id)
    assert.ok([...perRun.values()].every(({ length }) => length === 1 + wordsEach))
  },
)
