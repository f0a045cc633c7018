/** A repository whose own commands check its pull requests, with a worker that is killed in the middle. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { rows } from '#db/pool.ts'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until as untilSoon } from '#test/test-sandboxes.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api', env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
/** A lost worker is missed after a while, and what it left is removed after another. */
const until = (isSo: () => boolean | Promise<boolean>, what: string) => untilSoon(isSo, what, 60_000)
const at = `/v1/organizations/${service.organizationId}`

type Page<T> = { items: T[] }
type Check = { key: string; name: string; status: string; conclusion: string | null; has_log: boolean }
type Sandbox = {
  id: number
  check_key: string | null
  agent_run_id: number | null
  status: string
  end_reason: string | null
}

type Push = (branch: string, files: Record<string, string>) => void

async function makeRepo(): Promise<{ repoId: number; push: Push }> {
  const body = { name: 'checked', import_from: makeRepository({ 'a.txt': 'a\n' }) }
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, body)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', url.href, 'clone')
  const clone = path.join(folder, 'clone')
  const push = (branch: string, files: Record<string, string>) => {
    git(clone, 'fetch', '-q', 'origin')
    git(clone, 'checkout', '-q', branch)
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(clone, name), content)
    git(clone, 'add', '.')
    git(clone, 'commit', '-q', '-m', 'Add files')
    git(clone, 'push', '-q', 'origin', 'HEAD')
  }
  return { repoId: repo.id, push }
}

test('checks of a pull request outlive their worker, follow its head, and leave nothing behind', async () => {
  const first = await service.startWorker()
  const { repoId, push } = await makeRepo()
  const { id } = await service.play([{ shell: 'echo b > b.txt' }, { answer: 'Done.' }], {
    prompt: 'Work',
    repo_id: repoId,
  })
  const { branch } = await service.untilEnded(id)
  const check_commands = [
    { name: 'tests', command: 'echo looking, and whatever may come after; [ -e fixed.txt ] || sleep 3600' },
  ]
  const repo = await service.call('PATCH', `${at}/repos/${repoId}`, { check_commands })
  assert.deepEqual(repo['check_commands'], check_commands)
  push(String(branch), { 'c.txt': 'c\n' })
  const [pull] = (await service.call<Page<{ id: number }>>('GET', `${at}/prs?run_id=${id}`)).items
  const checks = async () =>
    (await service.call<Page<Check>>('GET', `${at}/prs/${pull!.id}/checks`)).items.filter(
      ({ name }) => name === 'tests',
    )
  const sandboxes = async (key: string) =>
    (await service.call<Page<Sandbox>>('GET', `${at}/sandboxes`)).items.filter((one) => one.check_key === key)
  await until(async () => (await checks())[0]?.status === 'in_progress', 'the check is at work')
  const { key } = (await checks())[0]!
  await until(async () => (await sandboxes(key))[0]?.status === 'running', 'its sandbox runs')

  const printed = async () => (await service.ask('GET', `${at}/prs/${pull!.id}/checks/${key}/log`)).text()
  // Its last letters may be a part of a secret.
  await until(async () => (await printed()).includes('\nlook'), 'what it prints can be read')
  first.kill('SIGKILL')
  assert.match(await printed(), /^\$ [^]*\nlook/)
  await service.startWorker()
  await until(async () => (await sandboxes(key)).length === 2, 'another worker runs it')
  assert.partialDeepStrictEqual((await sandboxes(key)).at(-1), {
    status: 'ended',
    end_reason: 'lost',
    agent_run_id: null,
  })
  const anew = '[The attempt before was not finished; this one begins anew.]\n$ '
  await until(async () => (await printed()).startsWith(anew), 'what the other one prints can be read')

  push(String(branch), { 'fixed.txt': 'yes\n' })
  await until(async () => (await checks())[0]?.conclusion === 'success', 'the new head is checked')
  const [checked] = await checks()
  assert.ok(checked?.has_log)
  const log = await service.ask('GET', `${at}/prs/${pull!.id}/checks/${checked.key}/log`)
  assert.equal(await log.text(), `$ ${check_commands[0]!.command}\nlooking, and whatever may come after\n`)

  const conclusionOf = (id: string) =>
    rows<{ conclusion: string; attempt: number }>(db, 'select conclusion, attempt from checks where id::text = $1', [
      id,
    ])
  await until(async () => (await conclusionOf(key))[0]?.conclusion === 'cancelled', 'the earlier check is cancelled')
  assert.equal((await conclusionOf(key))[0]?.attempt, 2)
  const folder = path.join(service.dataDir, 'sandboxes')
  await until(() => !readdirSync(folder).some((name) => name.includes('check-')), 'nothing is left of their sandboxes')
})
