import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository, receipts } from '#test/example-repository.ts'
import { startService, stopProcess } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { listen, makeCertificate } from '#test/test-proxy.ts'
import { until } from '#test/test-sandboxes.ts'

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), RUNWRIGHT_SECRET_KEY: 'the same secret key in every process' },
})
const at = `/v1/organizations/${service.organizationId}`

test('a worker without the disk of the host fixes a bug; branch and pull request are on the host', async () => {
  const { dataDir: elsewhere } = await service.startElsewhere()
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
    name: 'receipts',
    import_from: makeRepository({ folder: receipts }),
  })
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Make the failing test pass',
    repo_id: repo.id,
  })
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  assert.equal(run.github_pull_requests[0]?.head_branch_name, run.branch)
  assert.match(await (await service.ask('GET', `${at}/agent/run/${run.id}/diff`)).text(), /^diff --git a\/src\//)
  const url = new URL(repo.git_url)
  url.username = 'ada'
  url.password = service.token
  assert.match(git('/', 'ls-remote', url.href), new RegExp(`refs/heads/${run.branch}$`, 'm'))
  assert.ok(existsSync(path.join(elsewhere, 'mirrors')))
  assert.ok(!existsSync(path.join(elsewhere, 'git')))

  const { rows } = await db.query(
    `select count(*) as n from credentials where kind = 'git' and run_id is not null and revoked_at is null`,
  )
  assert.equal(rows[0].n, 0, 'no token of an ended run is good')
})

test('it checks pull requests there, after their setup; what a check prints is read while it runs, from another machine', async () => {
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
    name: 'checked',
    import_from: makeRepository({
      '.runwright.yml':
        'setup: cp a.txt made.txt\nchecks: { test: "cat made.txt b.txt; echo printed, and whatever may come after; [ -e fixed.txt ] || sleep 3600" }\n',
      'a.txt': 'a\n',
    }),
  })
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Work',
    repo_id: repo.id,
    // A run waits for its checks as long as it has time, and this one has none for that.
    timeout_minutes: 1,
    agent_type: 'scripted',
    metadata: {
      scripts: [
        [{ shell: 'echo b > b.txt' }, { answer: 'Done.' }],
        [{ shell: 'touch fixed.txt' }, { answer: 'Done.' }],
      ],
    },
  })
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  type Checks = { items: { key: string; name: string; conclusion: string | null }[] }
  const pull = (await service.call<{ items: { id: number }[] }>('GET', `${at}/prs?run_id=${made.id}`)).items[0]!
  const check = async () =>
    (await service.call<Checks>('GET', `${at}/prs/${pull.id}/checks`)).items.find(({ name }) => name === 'test')
  const log = async () => {
    const response = await service.ask('GET', `${at}/prs/${pull.id}/checks/${(await check())?.key}/log`)
    return response.ok ? response.text() : ''
  }
  await until(async () => (await log()).includes('\na\nb\nprint'), 'what it prints can be read', 60_000)
  assert.equal((await check())?.conclusion, null)
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: made.id, prompt: 'Fix it' })
  await until(async () => (await check())?.conclusion === 'success', 'the new head is checked', 60_000)
  assert.ok(!existsSync(path.join(service.dataDir, 'mirrors')))
  const { rows } = await db.query(
    `select count(*)::int as n from jobs where kind = 'host_event' and problem is not null`,
  )
  assert.equal(rows[0].n, 0, 'nothing that happens there has to be tried again')
})

test('a run without a repository works there too, and its diff can be read; a follow-up goes on with it', async () => {
  const step = (name: string) => [{ write: { path: name, content: `${name}\n` } }, { answer: 'Written.' }]
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Write a note',
    agent_type: 'scripted',
    metadata: { scripts: [step('one.md'), step('two.md')] },
  })
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: made.id, prompt: 'Another' })
  await service.untilRun(made.id, ({ status, turn }) => turn === 2 && status === 'completed')
  const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
  assert.match(diff, /one\.md[\s\S]*two\.md/)
})

test("a worker that is told of the company's authority reaches the repositories over TLS", async () => {
  const { key, certificate, certificateFile } = await makeCertificate(['localhost'])
  const front = createServer({ key, cert: certificate }, (asked, answer) => {
    const { method, headers, url = '' } = asked
    const passed = request(service.url + url, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    asked.pipe(passed.on('error', () => answer.destroy()))
  })
  const gitUrl = `https://localhost:${await listen(front)}`
  after(() => front.close())
  const labels = { RUNWRIGHT_WORKER_LABELS: 'secure', RUNWRIGHT_GIT_URL: gitUrl }
  const { child } = await service.startElsewhere({ ...labels, RUNWRIGHT_CA_FILE: certificateFile })
  const import_from = makeRepository({ 'a.txt': 'a\n' })
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'secure', import_from })
  await service.call('PATCH', `${at}/repos/${repo.id}`, { labels: ['secure'] })
  const script = [{ shell: 'cat a.txt > b.txt' }, { answer: 'Done.' }]
  const body = { prompt: 'Copy', repo_id: repo.id, agent_type: 'scripted', metadata: { script } }
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  const run = await service.untilEnded(made.id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  assert.match(await (await service.ask('GET', `${at}/agent/run/${run.id}/diff`)).text(), /b\.txt/)
  await stopProcess(child)
})

test('a run waits for a worker that has its labels, and says so', async () => {
  const { id: repoId } = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'trained' })
  await service.call('PATCH', `${at}/repos/${repoId}`, { labels: ['gpu', 'linux'] })
  const script = [{ answer: 'Done.' }]
  const request = { prompt: 'Train', repo_id: repoId, agent_type: 'scripted', metadata: { script } }
  const dry = await service.call('POST', `${at}/agent/run`, { ...request, dry_run: true })
  assert.equal(dry['blocked_by'], 'no_worker')
  const made = await service.call<{ id: number; status_detail: string }>('POST', `${at}/agent/run`, request)
  assert.equal(made.status_detail, 'no_worker')

  const other = await service.call<{ id: number }>('POST', `${at}/agent/run`, { ...request, repo_id: null })
  assert.equal((await service.untilEnded(other.id)).status, 'completed', 'others go ahead of it')
  await service.startElsewhere({ RUNWRIGHT_WORKER_LABELS: 'gpu' })
  assert.equal((await service.untilRun(made.id, () => true)).status, 'queued', 'one of two labels is not enough')
  const { dataDir: capable } = await service.startElsewhere({ RUNWRIGHT_WORKER_LABELS: 'fast,gpu,linux' })
  assert.equal((await service.untilEnded(made.id)).status, 'completed')
  await until(() => readdirSync(path.join(capable, 'sandboxes')).length === 0, 'nothing is left of it')
})

test('a run that waits for labels goes on when they are taken away', async () => {
  await service.call('PATCH', at, { labels: ['windows'] })
  const script = [{ answer: 'Done.' }]
  const made = await service.call<{ id: number; status_detail: string }>('POST', `${at}/agent/run`, {
    prompt: 'Anything',
    agent_type: 'scripted',
    metadata: { script },
  })
  assert.equal(made.status_detail, 'no_worker')
  await service.call('PATCH', at, { labels: [] })
  assert.equal((await service.untilEnded(made.id)).status, 'completed')
})
