/** Work trees that are limited to folders of a large repository, with real git in a real sandbox. */
import assert from 'node:assert/strict'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startService, untilReleased, type LogAnswer, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() },
})
let worker = await service.startWorker()
const at = `/v1/organizations/${service.organizationId}`

const files = {
  'top.txt': 'top\n',
  'services/shared.txt': 'shared\n',
  'services/api/a.txt': 'a\n',
  'services/web/w.txt': 'w\n',
  'web/x.txt': 'x\n',
}
const repo = await service.call<{ id: number; paths: string[] }>('POST', `${at}/repos`, {
  name: 'monorepo',
  import_from: makeRepository(files),
})

const start = async (commands: string[], more: object = {}) => {
  const script = [...commands.map((shell) => ({ shell })), { answer: 'Done.' }]
  const body = { prompt: 'Work', repo_id: repo.id, agent_type: 'scripted', metadata: { script }, ...more }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}
const printedIn = (log: LogAnswer[]) =>
  log.filter(({ tool_name }) => tool_name === 'shell').map(({ tool_output }) => String(tool_output?.['output']).trim())

async function ended(id: number): Promise<{ run: RunAnswer; printed: string[]; diff: string }> {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const diff = await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
  return { run, printed: printedIn(await service.log(id)), diff }
}
const changedIn = (diff: string) => [...diff.matchAll(/^diff --git a\/(\S+)/gm)].map(([, name]) => name)
type Check = { name: string; conclusion: string | null; summary: string | null }

/** Those of a run's pull request, once each of these has a conclusion. */
async function checksOf(runId: number, names: string[]): Promise<Record<string, Check>> {
  const { items: pulls } = await service.call<{ items: { id: number }[] }>('GET', `${at}/prs?run_id=${runId}`)
  const list = async () => {
    const { items } = await service.call<{ items: Check[] }>('GET', `${at}/prs/${pulls[0]!.id}/checks`)
    return Object.fromEntries(items.map((check) => [check.name, check]))
  }
  await until(async () => {
    const checks = await list()
    return names.every((name) => checks[name]?.conclusion)
  }, 'all are over')
  return list()
}
const look = 'find . -path ./.git -prune -o -type f -print | sort; git status --porcelain'
const here = './services/api/a.txt\n./services/shared.txt\n./top.txt'

test('a run has all of a repository, unless it names folders', async () => {
  assert.deepEqual(repo.paths, [])
  assert.equal((await ended(await start([look]))).printed[0]?.split('\n').length, 5)
  const { printed, diff } = await ended(
    await start([look, 'echo more >> services/api/a.txt; echo new > services/api/new.txt'], {
      paths: ['services/api/'],
    }),
  )
  assert.equal(printed[0], here)
  assert.deepEqual(changedIn(diff), ['services/api/a.txt', 'services/api/new.txt'])
})

test('a repository limits the work trees of its runs, and a run can name others or none', async () => {
  const saved = await service.call<{ paths: string[] }>('PATCH', `${at}/repos/${repo.id}`, {
    paths: ['services/api', 'services/api/'],
  })
  assert.deepEqual(saved.paths, ['services/api'])
  assert.equal((await ended(await start([look]))).printed[0], here)
  const { run, printed } = await ended(await start([look], { paths: ['web'] }))
  assert.equal(printed[0], './top.txt\n./web/x.txt')
  assert.deepEqual(run['paths'], ['web'])
  assert.equal((await ended(await start([look], { paths: [] }))).printed[0]?.split('\n').length, 5)
})

test('what an agent makes outside of them is part of its work, and what is left out is not removed', async () => {
  const outside = 'mkdir -p web docs; echo y > web/y.txt; echo changed > web/x.txt; echo d > docs/d.txt'
  const { diff } = await ended(await start([outside, 'rm services/shared.txt']))
  assert.deepEqual(changedIn(diff), ['docs/d.txt', 'services/shared.txt', 'web/x.txt', 'web/y.txt'])
})

test('also where the agent commits and pushes itself, and in a follow-up', async () => {
  const commit = 'git add -A && git -c user.name=a -c user.email=a@b commit -qm mine && git push -q origin HEAD'
  const id = await start([`echo mine >> services/api/a.txt; ${commit}`, 'echo more > services/api/more.txt'])
  assert.deepEqual(changedIn((await ended(id)).diff), ['services/api/a.txt', 'services/api/more.txt'])
  const script = [{ shell: `${look}; cat services/api/a.txt` }, { answer: 'Done.' }]
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Go on', metadata: { script } })
  await service.untilRun(id, ({ status, ...run }) => run['turn'] === 2 && /completed|failed/.test(status))
  assert.deepEqual(changedIn((await ended(id)).diff), ['services/api/a.txt', 'services/api/more.txt'])
})

test('a work tree that is made again from a checkpoint is limited too, and loses and removes nothing', async () => {
  const change =
    'echo mine >> services/api/a.txt; mkdir web; echo outside > web/x.txt; echo new > web/new.txt; git rm -q --sparse --cached services/web/w.txt; sleep 2'
  const id = await start([change, untilReleased, `${look}; cat web/x.txt`])
  await until(async () => {
    const { rows } = await db.query('select n from checkpoints where run_id = $1', [id])
    return rows.length > 0
  }, 'a checkpoint is stored')
  const hasEnded = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await hasEnded
  await removeTree(path.join(service.dataDir, 'sandboxes'))
  worker = await service.startWorker()
  const isRestored = async () =>
    (await service.log(id)).some(({ thought }) => /The work goes on from/.test(thought ?? ''))
  await until(isRestored, 'it is restored')
  service.release(id)
  const { printed, diff } = await ended(id)
  assert.match(printed.at(-1) ?? '', /outside$/)
  assert.deepEqual(changedIn(diff), ['services/api/a.txt', 'services/web/w.txt', 'web/new.txt', 'web/x.txt'])
})

test('folders that lead elsewhere are refused, and one that is not there is empty', async () => {
  for (const one of ['../up', '/etc', '.git', 'a/../../b', '-x', '*', 'a\nb', '"a"']) {
    const answer = await service.ask('PATCH', `${at}/repos/${repo.id}`, { paths: [one] })
    assert.equal(answer.status, 400, `${one}: ${await answer.text()}`)
  }
  assert.equal((await ended(await start([look], { paths: ['nowhere'] }))).printed[0], './top.txt')
})

test('a check of a folder is run there, and only where something in it has changed', async () => {
  const files = { 'api/a.txt': 'a\n', "it's web/w.txt": 'w\n', 'top.txt': 'top\n' }
  const body = { name: 'scoped', import_from: makeRepository(files) }
  const { id: repo_id } = await service.call<{ id: number }>('POST', `${at}/repos`, body)
  const check_commands = [
    { name: 'api', command: 'test -e a.txt && ! test -e top.txt', path: 'api' },
    { name: 'web', command: 'test -e w.txt', path: "it's web" },
    { name: 'all', command: 'test -e top.txt' },
  ]
  const repo = await service.call('PATCH', `${at}/repos/${repo_id}`, { check_commands })
  assert.deepEqual(repo['check_commands'], check_commands)
  const id = await start(['echo b >> api/a.txt'], { repo_id })
  await ended(id)
  const names = check_commands.map(({ name }) => name)
  const { api, web, all } = await checksOf(id, names)
  assert.deepEqual([api?.conclusion, web?.conclusion, all?.conclusion], ['success', 'skipped', 'success'])
  assert.equal(web?.summary, "Nothing in it's web has changed.")
  const other = await start([`rm -r api; echo c >> "it's web/w.txt"`], { repo_id })
  await ended(other)
  const both = await checksOf(other, names)
  assert.deepEqual([both['api']?.conclusion, both['web']?.conclusion], ['success', 'success'])
  const wrong = [{ name: 'up', command: 'ls', path: '../up' }]
  assert.equal((await service.ask('PATCH', `${at}/repos/${repo_id}`, { check_commands: wrong })).status, 400)
})
