import type { Client, PullRequest } from '@runwright/sdk'
import type { PlayedRuns } from './play-runs.ts'
import { until } from './until.ts'

const red = (text: string) => `\u001b[31m${text}\u001b[0m`
const green = (text: string) => `\u001b[32m${text}\u001b[0m`

/** Their numbers. */
export type ToldPulls = { done: number; stuck: number; barred: number }

type TellOfPulls = { admin: Client; femi: Client; runs: PlayedRuns }

/** What an outside CI, another person and agents have to say of the pull requests that the runs have opened. */
export async function tellOfPulls({ admin, femi, runs }: TellOfPulls): Promise<ToldPulls> {
  const pullOf = async (run: number) => (await admin.pullRequests.listPulls({ org_id: 1, run_id: run })).items[0]!
  const [done, stuck, barred] = await Promise.all([pullOf(runs.done), pullOf(runs.stuck), pullOf(runs.barred)])
  await admin.repositories.saveCheckSettings({ org_id: 1, repo_id: done.repo_id, settle_seconds: 0 })
  await report(admin, done, { name: 'lint', log: green('All matched files use the right style') })
  await report(admin, done, { name: 'tests', log: green('✔ 25 tests (191ms)') })
  await report(admin, done, { name: 'links of the docs', conclusion: 'skipped', summary: 'Only on main.' })
  await review(femi, done)
  await report(admin, barred, { name: 'tests', log: green('✔ 25 tests (188ms)') })
  await admin.runs.banRun({ org_id: 1, agent_run_id: runs.barred })
  await report(admin, stuck, { name: 'lint', log: green('All matched files use the right style') })
  await report(admin, stuck, { name: 'tests', conclusion: 'failure', summary: '1 of 25 tests failed.', log: failing })
  await until(async () => (await admin.pullRequests.getPull({ org_id: 1, pr_id: stuck.id })).agent?.phase === 'gave_up')
  await until(async () => (await admin.pullRequests.getPull({ org_id: 1, pr_id: done.id })).agent?.phase === 'green')
  return { done: done.number, stuck: stuck.number, barred: barred.number }
}

const failing = [
  `${green('✔')} tax of 2021 (1.2ms)`,
  `${red('✖')} tax of 2019 (0.8ms)`,
  red("  TypeError: Cannot read properties of undefined (reading 'rate')"),
  '      at taxOf (src/tax/tax.ts:12:24)',
  '      at TestContext.<anonymous> (test/tax.test.ts:31:16)',
].join('\n')

type Report = { name: string; conclusion?: 'success' | 'failure' | 'skipped'; summary?: string; log?: string }

function report(client: Client, pull: PullRequest, { conclusion = 'success', ...check }: Report) {
  return client.checks.reportCheck({
    org_id: 1,
    repo_id: pull.repo_id,
    sha: pull.head_commit,
    status: 'completed',
    conclusion,
    ...check,
  })
}

async function review(femi: Client, pull: PullRequest): Promise<void> {
  await femi.pullRequests.createPullComment({
    org_id: 1,
    pr_id: pull.id,
    body: 'Is `GET /export` for a month that is not over yet part of this?',
  })
  await femi.pullRequests.createReview({
    org_id: 1,
    pr_id: pull.id,
    verdict: 'approve',
    body: 'Reads well, and each example runs as it stands.',
    comments: [{ path: 'docs/export.md', line: 7, body: 'Say here that the token needs the scope `read`.' }],
  })
}
