import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hostFaults, openFaultyHost, type FaultyHost } from '#test/faulty-host.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { startOnGitHub } from './start-on-github.ts'

type Comparison = {
  id: number
  status: string
  contestants: {
    run_id: number
    outcome: string
    branch: string
    branch_deleted_at: string | null
    pull_request: object | null
  }[]
}

let way: FaultyHost
const { service, at, repo, repository, github, ada } = await startOnGitHub({
  databaseUrl: (await testDb()).url,
  files: { 'answer.txt': 'wrong\n' },
  defer: after,
  openWay: async (url) => (way = await openFaultyHost(url)),
})
repository.workflow = null

test('the work that is kept gets one pull request at GitHub, and other branches are deleted there, through faults', async () => {
  const playing = (name: string, command: string) => ({
    name,
    agent_type: 'scripted',
    metadata: { script: [{ shell: command }, { answer: `${name} is done.` }] },
  })
  const { id } = await service.call<Comparison>('POST', `${at}/comparisons`, {
    prompt: 'Make it right',
    repo_id: repo.id,
    judges: [{ name: 'answer', command: 'grep -q right answer.txt' }],
    contestants: [playing('good', 'echo right > answer.txt'), playing('bad', 'echo still wrong > answer.txt')],
  })
  const read = () => service.call<Comparison>('GET', `${at}/comparisons/${id}`)
  await until(async () => (await read()).status === 'done', 'both are judged', 60_000)
  const { contestants } = await read()
  assert.deepEqual(
    contestants.map(({ outcome }) => outcome),
    ['passed', 'failed'],
  )
  const [good, bad] = contestants as [Comparison['contestants'][0], Comparison['contestants'][0]]
  const branchesThere = async () =>
    (await repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n').filter(Boolean)
  assert.deepEqual(
    await branchesThere(),
    [bad.branch, good.branch, 'main'].toSorted((a, b) => a.localeCompare(b)),
  )
  const pulls = () =>
    ada.ask<{ number: number; body: string; head: { ref: string } }[]>('GET', `/repos/acme/price-list/pulls`)
  assert.deepEqual(await pulls(), [])

  // The first pull request is there, and its answer is lost; whatever else is changed fails once.
  way.decide = (call, count) => {
    if (count > 1 || call.startsWith('GET') || call.includes('access_tokens')) return undefined
    return call === 'POST /repos/acme/price-list/pulls' ? hostFaults.lostAnswer : hostFaults.badGateway
  }
  way.calls.clear()
  await service.call('POST', `${at}/comparisons/${id}/winner`, { run_id: good.run_id, open_pull_request: true })
  const isOver = async () => {
    const [kept, other] = (await read()).contestants
    return kept?.pull_request !== null && other?.branch_deleted_at !== null
  }
  await until(isOver, 'its pull request is open and the other branch is gone', 60_000)
  const [pull, ...more] = await pulls()
  assert.deepEqual([pull?.head.ref, more], [good.branch, []])
  assert.match(pull?.body ?? '', /good is done\.[^]*grep -q right answer\.txt/)
  assert.deepEqual(
    await branchesThere(),
    [good.branch, 'main'].toSorted((a, b) => a.localeCompare(b)),
  )
  const { items } = await service.call<{ items: object[] }>('GET', `${at}/prs`)
  const url = `${github.url}/acme/price-list/pull/${pull?.number}`
  assert.partialDeepStrictEqual(items, [{ run_id: good.run_id, state: 'open', url }])
  assert.equal(items.length, 1)
  assert.ok((way.calls.get('POST /repos/acme/price-list/pulls') ?? 0) >= 1)
})
