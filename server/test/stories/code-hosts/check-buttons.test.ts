import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { reportPrefix } from '#domain/hosts/fixer.ts'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { fixed, inVain, priceList, tooQuick, wish } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const script: ScriptedReply[] = [...tooQuick, ...inVain(1)]
/** Says nothing while the script is empty. */
const model = await startModelServer(async () => {
  await until(async () => script.length > 0, 'somebody says what the model says', 100_000)
  return script.shift()!
})
after(() => model.close())
const db = await testDb()
const { github, repository, repo, ada, mallory, service, at, untilRun, runs } = await startOnGitHub({
  databaseUrl: db.url,
  files: priceList,
  env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
  defer: after,
})
await service.call('PUT', `${at}/repos/check-suite-settings?repo_id=${repo.id}`, {
  settle_seconds: 0,
  check_retry_count: 1,
})

await ada.ask('POST', '/repos/acme/price-list/issues', { title: 'Odd prices', body: `@runwright ${wish}` })
const { id: runId } = await untilRun()

/** Our own check of the newest commit that has one. */
const own = () => repository.checkRuns.findLast(({ name }) => name.startsWith(reportPrefix))
const untilButton = async (button: string) => {
  await until(async () => own()?.actions.join() === button, `the check has the button ${button}`)
  return own()!
}
const untilTurn = (turn: number, status: string) =>
  service.untilRun(runId, (run) => run['turn'] === turn && run.status === status)
const untilHandled = async () => {
  await github.settled()
  const waiting = `select from jobs where kind in ('delivery', 'host_event')`
  await until(async () => (await db.query(waiting)).rowCount === 0, 'all is acted on')
}

test('"Fix" lets an agent that has given up try again, where somebody presses it who may write there', async () => {
  const run = await untilButton('fix')
  assert.deepEqual([run.status, run.conclusion], ['completed', 'neutral'])
  await untilTurn(2, 'completed')
  github.press(repository, { run, by: mallory, button: 'fix' })
  await untilHandled()
  await untilTurn(2, 'completed')
  github.press(repository, { run, by: ada, button: 'fix' })
  await untilTurn(3, 'in_progress')
})

test('"Stop" stops what it is fixing', async () => {
  const run = await untilButton('stop')
  assert.equal(run.status, 'in_progress')
  github.press(repository, { run, by: ada, button: 'stop' })
  await untilTurn(3, 'cancelled')
  const stopped = await untilButton('fix')
  assert.deepEqual(
    [stopped.id, stopped.status, stopped.conclusion, stopped.output.title],
    [run.id, 'completed', 'neutral', 'a person has stopped the agent'],
  )
})

test('"Re-run" begins anew, and the check says how that ends', async () => {
  const run = own()!
  github.press(repository, { run, by: mallory, button: 'rerun' })
  assert.equal(run.status, 'queued', 'as GitHub puts it')
  await until(async () => run.status === 'completed', 'the check does not stay as GitHub has put it')
  await untilHandled()
  await untilTurn(3, 'cancelled')
  script.push(...fixed)
  github.press(repository, { run, by: ada, button: 'rerun_all' })
  await untilTurn(4, 'completed')
  await until(async () => own()?.conclusion === 'success', 'the check says that all is well')
  assert.notEqual(own()?.sha, run.sha)
  assert.deepEqual(own()?.actions, [])
  assert.match(await repository.git('show', `${own()!.sha}:total.js`), /price, 0\)/)
  for (const each of repository.checkRuns) assert.equal(each.status, 'completed', each.name)
  assert.equal((await runs()).length, 1)
  await untilHandled()
  const pressed = `select outcome from host_events where event->>'type' = 'button' order by id`
  const { rows } = await db.query<{ outcome: string }>(pressed)
  const ignored = 'left alone: mallory may not write here'
  const retried = `retried run ${runId}`
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    [ignored, retried, `stopped run ${runId}`, ignored, retried],
  )
})
