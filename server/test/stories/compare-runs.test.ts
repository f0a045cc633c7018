/** One task for several contestants: judged by hidden tests while a worker is killed, and the work of one is kept. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, untilReleased } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until as untilSoon } from '#test/test-sandboxes.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api', env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
/** A lost worker is missed after a while. */
const until = (isSo: () => boolean | Promise<boolean>, what: string) => untilSoon(isSo, what, 60_000)
const at = `/v1/organizations/${service.organizationId}`

type Verdict = {
  id: number
  name: string
  status: string
  conclusion: string | null
  exit_code: number | null
  duration_ms: number | null
  summary: string
}
type Contestant = {
  name: string
  run_id: number
  outcome: string
  branch: string
  branch_deleted_at: string | null
  pull_request: object | null
  diff: object | null
  rank: number | null
  verdicts: Verdict[]
}
type Comparison = {
  id: number
  status: string
  base_commit: string | null
  winner_run_id: number | null
  contestants: Contestant[]
}

const read = ({ id }: { id: number }) => service.call<Comparison>('GET', `${at}/comparisons/${id}`)
const outcomes = ({ contestants }: Comparison) => contestants.map(({ outcome }) => outcome).join()
const playing = (name: string, ...commands: string[]) => ({
  name,
  agent_type: 'scripted',
  metadata: { script: [...commands.map((shell) => ({ shell })), { answer: `${name} is done.` }] },
})

const word = 'a-word-that-only-judges-know'
const hidden = `# ${word}\necho looking, and whatever may come after\nsleep 2\ngrep -q right answer.txt\n`
const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, {
  name: 'compared',
  import_from: makeRepository({ 'answer.txt': 'wrong\n' }),
})

test('contestants are judged once each by what they cannot see, and one click keeps the best', async () => {
  const first = await service.startWorker()
  const look = `ls tests; env; cat .git/config; find / -name hidden.sh 2> /dev/null; grep -rs ${word} /workspace /home /tmp /run | grep -v grep`
  // A file of nothing would pass, if it were written through the link.
  const decoy = 'mkdir decoy; ln -s decoy tests; ln -s /dev/null decoy/hidden.sh; echo still wrong > answer.txt'
  const comparison = await service.call<Comparison>('POST', `${at}/comparisons`, {
    prompt: 'Make it right',
    repo_id: repo.id,
    judges: [{ name: 'hidden tests', command: 'sh tests/hidden.sh' }],
    judge_files: [{ path: 'tests/hidden.sh', content: Buffer.from(hidden).toString('base64') }],
    contestants: [
      playing('good', look, 'echo right > answer.txt'),
      playing('cheating', decoy),
      playing('idle', 'true'),
    ],
  })
  assert.ok(!JSON.stringify(comparison).includes(word))

  const verdictOf = async (n: number) => (await read(comparison)).contestants[n]?.verdicts[0]
  const log = async ({ id }: Verdict) =>
    (await service.ask('GET', `${at}/comparisons/${comparison.id}/verdicts/${id}/log`)).text()
  await until(async () => {
    const verdict = await verdictOf(0)
    return verdict?.status === 'in_progress' && (await log(verdict)).includes('\nlook')
  }, 'a judge is at work')
  first.kill('SIGKILL')
  await service.startWorker()
  await until(async () => (await read(comparison)).status === 'done', 'all are judged')

  const judged = await read(comparison)
  assert.equal(outcomes(judged), 'passed,failed,failed')
  assert.equal(judged.contestants[0]!.rank, 1)
  const [good, cheating, idle] = judged.contestants as [Contestant, Contestant, Contestant]
  assert.partialDeepStrictEqual(good.verdicts, [{ name: 'hidden tests', conclusion: 'success', exit_code: 0 }])
  assert.ok(good.verdicts[0]!.duration_ms! >= 2_000)
  assert.match(await log(good.verdicts[0]!), /^\[The attempt before was not finished[^]*\nlooking, and whatever/)
  assert.partialDeepStrictEqual(cheating.verdicts, [{ conclusion: 'failure', exit_code: 1 }])
  assert.deepEqual(good.diff, { files: 1, additions: 1, deletions: 1 })
  assert.deepEqual([idle.verdicts, idle.diff], [[], null])
  const attempts = await db.query('select attempt from checks where comparison_id = $1 order by id', [comparison.id])
  assert.equal(attempts.rowCount, 2)
  const printed = (await service.log(good.run_id)).filter(({ tool_output }) => tool_output)
  assert.ok(!JSON.stringify(printed.map(({ tool_output }) => tool_output)).includes(word))
  assert.equal((await service.call<{ total: number }>('GET', `${at}/prs`)).total, 0)

  const keep = (runId: number) =>
    service.ask('POST', `${at}/comparisons/${comparison.id}/winner`, { run_id: runId, open_pull_request: true })
  assert.equal((await keep(cheating.run_id)).status, 409)
  for (const _ of ['once', 'again']) assert.equal((await keep(good.run_id)).status, 200)
  const isOver = async () => {
    const { contestants } = await read(comparison)
    return contestants[0]!.pull_request !== null && contestants[1]!.branch_deleted_at !== null
  }
  await until(isOver, 'its pull request is open and the other branch is gone')
  const { items } = await service.call<{ items: object[] }>('GET', `${at}/prs`)
  assert.partialDeepStrictEqual(items, [{ head_branch_name: good.branch, state: 'open', run_id: good.run_id }])
  assert.equal(items.length, 1)
  const branches = await service.call<{ items: { name: string }[] }>('GET', `${at}/repos/${repo.id}/branches`)
  assert.deepEqual(branches.items.map(({ name }) => name).toSorted(), ['main', good.branch].toSorted())
  assert.equal((await keep(idle.run_id)).status, 409)
  const diff = await service.ask('GET', `${at}/agent/run/${cheating.run_id}/diff`)
  assert.match(await diff.text(), /still wrong/)
})

test('a judge that hangs, floods, or is killed says so, and cancelling stops runs and judges', async () => {
  const comparison = await service.call<Comparison>('POST', `${at}/comparisons`, {
    prompt: 'Go',
    repo_id: repo.id,
    judges: [
      { name: 'hangs', command: 'sleep 600', timeout_seconds: 1 },
      { name: 'floods', command: 'head -c 20000000 /dev/zero | tr "\\0" x; exit 3' },
      { name: 'is killed', command: 'kill -9 $$' },
      { name: 'waits', command: 'sleep 600' },
    ],
    contestants: [playing('quick', 'echo more > more.txt'), playing('slow', 'sleep 600')],
  })
  const verdicts = async () => (await read(comparison)).contestants[0]!.verdicts
  const isWaiting = async () =>
    (await verdicts()).filter(({ conclusion }) => conclusion === null).map(({ name }) => name)
  await until(async () => (await isWaiting()).join() === 'waits', 'three judges have ended')
  const [hangs, floods, killed] = (await verdicts()) as [Verdict, Verdict, Verdict]
  assert.partialDeepStrictEqual(hangs, { conclusion: 'timed_out', exit_code: null })
  assert.match(hangs.summary, /longer than 1 s/)
  assert.partialDeepStrictEqual(floods, { conclusion: 'failure', exit_code: 3 })
  assert.partialDeepStrictEqual(killed, { conclusion: 'failure' })
  const log = await service.ask('GET', `${at}/comparisons/${comparison.id}/verdicts/${floods.id}/log`)
  assert.ok((await log.text()).length < 1_100_000)
  for (const _ of ['once', 'again'])
    assert.equal((await service.ask('POST', `${at}/comparisons/${comparison.id}/cancel`)).status, 200)
  await until(async () => (await verdicts())[3]?.conclusion === 'cancelled', 'its judge is stopped')
  await until(async () => outcomes(await read(comparison)) === 'failed,failed', 'its runs have ended')
})

test('contestants begin at one commit, whatever is pushed before the last of them begins', async () => {
  await db.query('update run_slots set max_running = 1 where organization_id = $1', [service.organizationId])
  const look = 'git rev-parse HEAD origin/main; ls'
  const comparison = await service.call<Comparison>('POST', `${at}/comparisons`, {
    prompt: 'Look',
    repo_id: repo.id,
    judges: [{ name: 'looks', command: look }],
    contestants: [
      playing('first', untilReleased, 'echo more > more.txt'),
      playing('second', look, 'echo more > more.txt'),
    ],
  })
  assert.equal(comparison.base_commit, null)
  const [first, second] = comparison.contestants as [Contestant, Contestant]
  await service.untilRun(first.run_id, ({ status_detail: detail }) => detail === 'working')
  const { base_commit: base } = await read(comparison)
  assert.match(base ?? '', /^[0-9a-f]{40}$/)
  pushToMain('later.txt')
  service.release(first.run_id)
  await until(async () => (await read(comparison)).status === 'done', 'both are judged')
  const { base_commit: still, contestants } = await read(comparison)
  assert.equal(still, base)
  const oneFile = { files: 1, additions: 1, deletions: 0 }
  assert.deepEqual(
    contestants.map(({ diff }) => diff),
    [oneFile, oneFile],
  )
  const printed = JSON.stringify(await service.log(second.run_id))
  assert.ok(printed.includes(`${base}\\n${base}\\n`), printed)
  assert.ok(!printed.includes('later.txt'))
  const [verdict] = contestants[1]!.verdicts
  const log = await service.ask('GET', `${at}/comparisons/${comparison.id}/verdicts/${verdict!.id}/log`)
  assert.match(await log.text(), new RegExp(`^${base}$`, 'm'))
})

function pushToMain(file: string): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', url.href, '.')
  writeFileSync(path.join(folder, file), 'later')
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'Later')
  git(folder, 'push', '-q')
  rmSync(folder, { recursive: true })
}
