import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { casesOfCommit } from '@runwright/server/test/cases-of-commit.ts'
import { startGitHubServer } from '@runwright/server/test/github-server.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi({ RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1' })
const github = await startGitHubServer()
after(() => github[Symbol.asyncDispose]())
after(() => assert.deepEqual(faults, []))
const at = `/runs/${service.organizationId}`
const organization = `/organizations/${service.organizationId}`
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const repoId = await makeRepo('ledger', {
  'a.txt': 'one\n',
  'package.json': '{"private":true,"scripts":{"test":"true"}}',
})
const done = await play(
  [
    { plan: ['Look', 'Write'] },
    { think: 'Thinking of `code`.' },
    { shell: "printf '\\033[31mred\\033[0m \\033[2mdim\\033[0m\\n'; exit 1" },
    { error: 'Something broke.' },
    { write: { path: 'a.txt', content: 'two\n' } },
    { answer: '**Done**, with a list:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |', title: 'Two', body: 'Two.' },
  ],
  { repo_id: repoId, title: 'One run that has ended' },
)
const asking = await play([{ ask: { question: 'Which?', options: ['This', 'That'] } }])
const working = await play([{ think: 'Now a long command.' }, { shell: 'while true; do echo tick; sleep 1; done' }])
const failed = await play([{ fail: { code: 'stuck', message: 'It went in circles.' } }])
await service.untilEnded(done.id)
await service.untilEnded(failed.id)
await service.untilRun(asking.id, ({ status }) => status === 'waiting_for_user')
await service.untilLogged(working.id, 2)

const { items } = await service.call<{ items: { id: number; head_commit: string }[] }>(
  'GET',
  `/v1${organization}/prs?run_id=${done.id}`,
)
const { id: pullId, head_commit: head } = items[0]!
await service.call('POST', `/v1${organization}/repos/${repoId}/commits/${head}/checks`, {
  name: 'tests',
  status: 'completed',
  conclusion: 'failure',
  log: 'expected one, got \u001b[31mtwo\u001b[0m\n',
})
await service.call('POST', `/v1${organization}/prs/${pullId}/reviews`, {
  verdict: 'request_changes',
  body: 'Not **yet**.',
  comments: [{ path: 'a.txt', line: 1, body: 'Why `two`?' }],
})
await service.call('POST', `/v1${organization}/repos/${repoId}/issues`, {
  title: 'It counts wrong',
  body: 'One and one is **three**.',
  labels: ['bug'],
})
const { id: hostId } = await service.call<{ id: number }>('POST', `/v1${organization}/integrations`, {
  type: 'github',
  token: github.addPerson('ada').token,
  base_url: github.apiUrl,
})

const found = await service.call<{ agent_run_id: number }>('POST', `/v1${organization}/setup-commands/generate`, {
  repo_id: repoId,
})
await service.untilEnded(found.agent_run_id)

const pull = `${organization}/repos/${repoId}/pulls/1`
const { items: issues } = await service.call<{ items: { number: number }[] }>(
  'GET',
  `/v1${organization}/repos/${repoId}/issues`,
)
const issue = `${organization}/repos/${repoId}/issues/${issues[0]!.number}`

const barred = await play([{ write: { path: 'b.txt', content: 'two\n' } }, { answer: 'Written.', title: 'Other' }], {
  repo_id: repoId,
})
await service.untilEnded(barred.id)
await service.call('POST', `/v1${organization}/agent/run/ban`, { agent_run_id: barred.id })
const { id: memberId } = await service.call<{ id: number }>('POST', `/v1${organization}/members`, { full_name: 'Femi' })
const { token: member } = await service.call<{ token: string }>('POST', `/v1${organization}/tokens`, {
  name: 'femi',
  user_id: memberId,
})
const { items: others } = await service.call<{ items: { number: number }[] }>(
  'GET',
  `/v1${organization}/prs?run_id=${barred.id}`,
)
const other = `${organization}/repos/${repoId}/pulls/${others[0]!.number}`

const { id: comparisonId } = await service.call<{ id: number }>('POST', `/v1${organization}/comparisons`, {
  prompt: 'Count to two',
  contestants: ['one', 'two'].map((answer) => ({ agent_type: 'scripted', metadata: { script: [{ answer }] } })),
})

type Visit = { path: string; until: string; press?: string; isOffline?: boolean }
const pages: Record<string, Visit> = {
  runs: { path: at, until: '.run-row .ribbon' },
  'runs that there are none of': { path: `${at}?q=nowhere`, until: '.empty' },
  'the settings of a run': { path: at, until: '.run-row', press: 'button[aria-label="More settings"]' },
  'a run that has ended': { path: `${at}/${done.id}`, until: '.card.answer' },
  'an entry of a run': { path: `${at}/${done.id}#s4`, until: '.entry.at' },
  'a run as reading': { path: `${at}/${done.id}?view=reader`, until: '.entry' },
  'a run as bars': { path: `${at}/${done.id}?view=timeline`, until: '.lane' },
  'changes of a run': { path: `${at}/${done.id}?tab=changes`, until: '.diff' },
  'files of a run': { path: `${at}/${done.id}?tab=artifacts`, until: '.empty' },
  'the sandbox of a run': { path: `${at}/${done.id}?tab=sandbox`, until: '.sandbox .panel' },
  'a run step by step': { path: `${at}/${done.id}?tab=replay`, until: '.replay-step' },
  'a record to be opened': { path: '/record', until: '.record-drop' },
  'the example of a record': { path: '/record?example=true', until: '.replay-step' },
  'a run as JSON': { path: `${at}/${done.id}?tab=json`, until: '.json' },
  'a run that asks': { path: `${at}/${asking.id}`, until: '.option' },
  'a run at work': { path: `${at}/${working.id}`, until: '.caret' },
  'a run to be configured': { path: `${at}/${working.id}`, until: '.caret', press: '[aria-label=Configure]' },
  'a run that failed': { path: `${at}/${failed.id}`, until: '.card.fault' },
  'a pull request': { path: pull, until: '.pull section.panel' },
  'a pull request whose agent was sent away': { path: other, until: '.ci-fixer .btn' },
  'a pull request that cannot be read anew': { path: pull, until: '.pull section.panel', isOffline: true },
  'the log of a check': { path: pull, until: '.check-row', press: '.check-row button' },
  'files of a pull request': { path: `${pull}?tab=files`, until: '.diff', press: '.diff .add .ln button' },
  'a pull request that is none': { path: `${pull}9`, until: '.empty' },
  repositories: { path: `${organization}/repos`, until: '[aria-labelledby=code-hosts] .list' },
  'a repository to be added': { path: `${organization}/repos`, until: '.list', press: '.btn.primary' },
  'a code host': { path: `${organization}/hosts/${hostId}`, until: '.panel.list' },
  'GitHub to be connected': { path: `${organization}/repos?github=https://git.acme.test`, until: 'dialog[open]' },
  'setup of a repository': { path: `${organization}/repos/${repoId}`, until: '.setup-proposal' },
  ...Object.fromEntries(
    ['snapshots', 'checks', 'rules', 'secrets', 'deploy-keys', 'network', 'file', 'general'].map((section) => [
      `${section} of a repository`,
      { path: `${organization}/repos/${repoId}?section=${section}`, until: '.panel, .empty' },
    ]),
  ),
  'a secret to be added': {
    path: `${organization}/repos/${repoId}?section=secrets`,
    until: '.empty',
    press: '.empty .btn',
  },
  'pull requests of a repository': { path: `${organization}/repos/${repoId}/pulls`, until: '.list' },
  'issues of a repository': { path: `${organization}/repos/${repoId}/issues`, until: '.list' },
  'an issue': { path: issue, until: '.composer' },
  'an issue to be opened': {
    path: `${organization}/repos/${repoId}/issues`,
    until: '.list',
    press: '.section-head .btn.primary',
  },
  'an issue that is none': { path: `${issue}9`, until: '.empty' },
  settings: { path: `${organization}/settings`, until: 'form[aria-label=Retention]' },
  'the audit log': { path: `${organization}/audit`, until: '.list' },
  'an audit log without matching entries': { path: `${organization}/audit?from=2999-01-01`, until: '.empty' },
  tokens: { path: `${organization}/tokens`, until: '.list, .empty' },
  workers: { path: `${organization}/workers`, until: '.list, .empty' },
  'model providers': { path: `${organization}/model-providers`, until: '.list, .empty' },
  engines: { path: `${organization}/engines`, until: '.list' },
  comparisons: { path: `${organization}/comparisons`, until: '.list' },
  'a comparison to be started': { path: `${organization}/comparisons`, until: '.list', press: '.btn.primary' },
  'a comparison': { path: `${organization}/comparisons/${comparisonId}`, until: '.compare td' },
  'a token to be made': { path: `${organization}/tokens`, until: '.list, .empty', press: '.btn.primary' },
  'a run that is none': { path: `${at}/999999`, until: '.empty' },
}

const looks: Record<string, BrowserContextOptions> = {
  'in the light': { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  'in the dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  'on a phone': { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
}

const memberPages: Record<string, Visit> = {
  ...Object.fromEntries(
    ['setup', 'secrets', 'network', 'general'].map((section) => [
      `${section} of a repository for who may change nothing`,
      { path: `${organization}/repos/${repoId}?section=${section}`, until: '.panel, .empty' },
    ]),
  ),
  'settings for who is no ADMIN': { path: `${organization}/settings`, until: '.panel.list' },
  'an audit log for who is no ADMIN': { path: `${organization}/audit`, until: '.empty' },
  'a pull request for who may not merge': { path: pull, until: '[aria-label=Merge]' },
  'repositories for who may not add any': { path: `${organization}/repos`, until: '.list' },
}

for (const [look, options] of Object.entries(looks)) {
  for (const [who, visits, token] of [
    ['everybody', pages, service.token],
    ['members', memberPages, member],
  ] as const) {
    // There are dozens, and the machine may be busy.
    test(`every page can be used by ${who}, ${look}`, { timeout: 300_000 }, async () => {
      const page = await open(at, { ...options, token, reducedMotion: 'reduce', bypassCSP: true })
      // The others differ by colors and width alone.
      const visited = look === 'in the light' ? visits : Object.fromEntries(casesOfCommit(Object.entries(visits), 4))
      assert.deepEqual(await findFaults(page, visited), [])
    })
  }
}

async function findFaults(page: Page, visits: Record<string, Visit>): Promise<string[]> {
  const found: string[] = []
  for (const [name, { path, until, press, isOffline = false }] of Object.entries(visits)) {
    await page.goto(service.url + path)
    await page.locator(until).first().waitFor()
    if (press) await page.locator(press).click()
    await page.context().setOffline(isOffline)
    if (isOffline) await page.locator('.strip').waitFor()
    await page.evaluate(axe)
    const faults = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }
      type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }
      const { violations } = await axe.run()
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary ?? ''}`,
      )
    })
    found.push(...faults.map((fault) => `${name}: ${fault}`))
    // Only code, tabs, facts and tables go on beyond the edge of the screen.
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (beyond > 0) found.push(`${name} is ${beyond} pixels too wide`)
    await page.context().setOffline(false)
  }
  return found
}
