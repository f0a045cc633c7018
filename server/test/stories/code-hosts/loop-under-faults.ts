import assert from 'node:assert/strict'
import type { StartService } from '#test/service.ts'
import { reportPrefix } from '#domain/hosts/fixer.ts'
import { hostFaults, openFaultyHost, type FaultyHost, type HostFaultName } from '#test/faulty-host.ts'
import { startModelServer } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { fixed, priceList, tooQuick, wish } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

export type LoopUnderFaults = {
  fault: HostFaultName
  /** How often each call fails before it is answered. */
  times?: number
  /** Which calls; all when left out. */
  on?: RegExp
  /** For each part of the loop. */
  patienceMs?: number
  defer: NonNullable<StartService['defer']>
}

/**
 * From a mention to a green pull request, at a host where each kind of call fails at first. Rejects unless there is the pull
 * request, with its fix, the answer where it was asked, and the run's check: each once. Answers the calls that failed.
 */
export async function loopUnderFaults({
  fault,
  times = 1,
  on = /^/,
  patienceMs = 250_000,
  defer,
}: LoopUnderFaults): Promise<string[]> {
  const model = await startModelServer([...tooQuick, ...fixed])
  defer(async () => model.close())
  const db = await testDb()
  let way: FaultyHost | undefined
  const { github, app, repository, ada, service, at, runs } = await startOnGitHub({
    databaseUrl: db.url,
    files: priceList,
    env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
    defer,
    openWay: async (url) => (way = await openFaultyHost(url)),
  })
  const failed = new Set<string>()
  way!.calls.clear()
  way!.decide = (call, count) => {
    if (count > times || !on.test(call)) return undefined
    failed.add(call)
    return hostFaults[fault]
  }
  const { number } = await ada.ask<{ number: number }>('POST', '/repos/acme/price-list/issues', {
    title: 'Odd prices',
    body: wish,
  })
  await ada.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, { body: '@runwright please see to this.' })
  const explain = async () =>
    `${fault}: ${JSON.stringify((await runs()).map(({ status, error, host_wait, turn, github_pull_requests }) => ({ status, error, host_wait, turn, github_pull_requests })))}\n${[...failed].join('\n')}\n${JSON.stringify((await service.log(1).catch(() => [])).map(({ message_type, observation }) => [message_type, observation]))}\n${service.said()}`
  const held = async (what: string, condition: () => Promise<boolean>) =>
    until(condition, what, patienceMs).catch(async (error: unknown) => {
      throw new Error(await explain(), { cause: error })
    })
  await held('the run has opened its pull request, and fixed what it broke', async () => {
    const [run] = await runs()
    if (run?.status === 'failed' || run?.status === 'paused') throw new Error(`the run is ${run.status}`)
    return run?.['turn'] === 2 && run.status === 'completed'
  })
  const [run] = await runs()
  assert.equal(run?.github_pull_requests.length, 1)
  const [pull] = (await service.call<{ items: { id: number }[] }>('GET', `${at}/prs`)).items
  const phase = async () =>
    (await service.call<{ agent: { phase: string } }>('GET', `${at}/prs/${pull?.id}`)).agent.phase
  await held('its checks have passed', async () => (await phase()) === 'green')
  assert.match(await repository.git('show', `${run?.branch}:total.js`), /filter\(Number\).*price, 0\)/)
  const pulls = await ada.ask<object[]>('GET', '/repos/acme/price-list/pulls?state=all')
  assert.equal(pulls.length, 1, 'one pull request')
  // That of the first turn, or of the second where it had begun already.
  const answers = () => repository.comments.filter(({ author }) => author === app.bot)
  await held('it is told where it was asked', async () =>
    answers().some(({ body }) => /no number is left out|begins at nothing again/.test(body)),
  )
  assert.equal(answers().length, 1, 'one answer')
  const own = () => repository.checkRuns.filter(({ name }) => name.startsWith(reportPrefix))
  await held('its check says so', async () => own().some(({ conclusion }) => conclusion === 'success'))
  await github.settled()
  assert.equal((await runs()).length, 1, 'one run')
  assert.equal(model.requests.length, tooQuick.length + fixed.length, 'nothing was asked of the model twice')
  return [...failed].sort()
}
