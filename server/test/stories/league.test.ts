/** Tasks of the league, done by an engine that needs no model, as the command line runs them. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from '#test/run-command-line.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url })
const folder = path.resolve(import.meta.dirname, '../../../examples/league')
const league = (...words: string[]) => runCommandLine(service, ['league', folder, ...words])

test('a league says how many tasks each solved, and takes a repository for each task once', async () => {
  const words = ['--engine', 'repair', '--times', '2', '--task', 'bug-fix', 'error-message']
  const printed = league(...words, '--json')
  assert.equal(printed.status, 0, printed.said)
  const { contestants, runs } = JSON.parse(printed.said) as { contestants: object[]; runs: { run_id: number }[] }
  assert.partialDeepStrictEqual(contestants, [{ contestant: 'repair', solved: 2, runs: 4 }])
  assert.partialDeepStrictEqual(runs, [
    { task: 'bug-fix', status: 'completed', solved: true },
    { task: 'bug-fix', status: 'completed', solved: true },
    { task: 'error-message', status: 'failed', solved: false },
    { task: 'error-message', status: 'failed', solved: false },
  ])
  const again = league('--engine', 'repair', '--times', '2', '--task', 'bug-fix')
  assert.match(again.said, /^bug-fix {2}repair {2}solved {2}http[^]*\nrepair +2 of 2 +34 % to 100 % +[\d.]+ s/m)
  const repos = await service.call<{ total: number }>('GET', `/v1/organizations/${service.organizationId}/repos`)
  assert.equal(repos.total, 2)
})

test('what cannot be compared is refused before anything is started', async () => {
  for (const [words, message] of [
    [['--times', '1'], /nothing to compare/],
    [['--times', 'x'], /--times must be a whole number/],
    [['--task', 'nothing'], /There is no task "nothing"/],
  ] as const) {
    const refused = league(...words)
    assert.equal(refused.status, 1)
    assert.match(refused.said, message)
  }
})
