import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool, rows } from '#db/pool.ts'
import { leftToOther } from '#test/cases-of-commit.ts'
import { emptyPlace } from '#test/empty-place.ts'
import { git, makeRepository } from '#test/example-repository.ts'
import { operate } from '#test/operate.ts'
import { startService, stopProcess, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

/** Ten for a release; they take minutes. */
const backups = Number(process.env.RUNWRIGHT_DRILLS ?? 4)
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-drill-'))
after(() => rm(folder, { recursive: true, force: true }))

const db = await testDb()
const settings = {
  RUNWRIGHT_SECRET_KEY: 'the key that is kept beside the backups',
  RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
  RUNWRIGHT_WORKER_SLOTS: '4',
}
const service = await startService({ databaseUrl: db.url, env: settings })
const at = `/v1/organizations/${service.organizationId}`

const own = { ...settings, DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: service.dataDir }

/**
 * Several small steps, with pushes of the agent's own in between, so that at any moment some run is at each of them. A command that was
 * interrupted is run again, and these may be.
 */
const script = (n: number) => {
  const write = (...lines: string[]) => `printf '${lines.join('\\n')}\\n' > file-${n}`
  const commit = (message: string) => `git add -A; git commit -q --allow-empty -m '${message} ${n}'`
  return [
    { shell: `${write('begun')}; ${commit('Begin')}` },
    { shell: `sleep 0.${n % 7}; git push -q origin HEAD` },
    { shell: `${write('begun', 'more')}; ${commit('Go on')}; git push -q origin HEAD` },
    {
      shell: `sleep 0.${n % 5}; git reset -q --soft HEAD~1; ${commit('Say it better')}; git push -qf origin HEAD || true`,
    },
    { shell: write('begun', 'more', 'end') },
    { answer: 'Done.' },
  ]
}

/** Keeps runs coming in until told to stop, and merges some of their pull requests. */
async function load(repoId: number, stop: AbortSignal): Promise<void> {
  const merging: Promise<unknown>[] = []
  for (let n = 1; !stop.aborted; n++) {
    const { id } = await service.call<RunAnswer>('POST', `${at}/agent/run`, {
      prompt: `Write file ${n}`,
      repo_id: repoId,
      agent_type: 'scripted',
      metadata: { script: script(n), n },
    })
    if (n % 2 === 0) merging.push(merge(id, stop).catch(() => {}))
    // As many as the worker has slots for, and some that wait.
    while (!stop.aborted && (await countOpen()) > 4) await sleep(100)
  }
  await Promise.all(merging)
}

async function countOpen(): Promise<number> {
  const open = await rows(db, `select from run_heads where status in ('queued', 'in_progress')`)
  return open.length
}

/** How long a person waits for a page of runs, while a backup is made and while none is. */
async function read(stop: AbortSignal, isBackup: () => boolean): Promise<{ during: number[]; without: number[] }> {
  const took = { during: [] as number[], without: [] as number[] }
  while (!stop.aborted) {
    const [begun, which] = [performance.now(), isBackup() ? took.during : took.without]
    await service.call('GET', `${at}/agent/runs?limit=20`)
    which.push(performance.now() - begun)
    await sleep(10)
  }
  return took
}

const p99 = (times: number[]) => Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0)

async function merge(id: number, stop: AbortSignal): Promise<void> {
  const run = await service.untilEnded(id)
  if (stop.aborted) return
  const pulls = await rows<{ id: number }>(db, 'select id from pulls where run_id = $1', [id])
  await service.call('POST', `${at}/prs/${pulls[0]?.id}/merge`, {})
  assert.equal(run.status, 'completed')
}

/** What must hold in a restored service once everything has ended. */
async function check(restored: Service, { dataDir, url }: { dataDir: string; url: string }): Promise<number> {
  const pool = openPool(url)
  try {
    const found = await rows<{
      id: number
      status: string
      error: object | null
      branch: string
      n: string
      before: string
    }>(
      pool,
      `select r.id, h.status, r.error, r.branch, r.metadata->>'n' as n from runs r join run_heads h on h.run_id = r.id order by 1`,
    )
    for (const { id } of found) {
      const run = await restored.untilEnded(id, 90_000)
      const log = await restored.log(id)
      assert.deepEqual(
        [run.status, run.result],
        ['completed', 'Done.'],
        JSON.stringify([run.error, log.slice(-3)]) + restored.said(),
      )
      assert.deepEqual(
        log.map(({ seq }) => seq),
        log.map((_, index) => index + 1),
      )
      assert.equal(run.github_pull_requests.length, 1, `run ${id} has one pull request`)
    }
    const pulls = await rows<{
      path: string
      headBranch: string
      headCommit: string
      merged: boolean
      mergeCommit: string | null
      n: string
    }>(
      pool,
      `select r.organization_id || '/' || r.id || '.git' as path, p.head_branch, p.head_commit, p.merged, p.merge_commit, u.metadata->>'n' as n
       from pulls p join repos r on r.id = p.repo_id join runs u on u.id = p.run_id`,
    )
    assert.equal(pulls.length, found.length)
    for (const pull of pulls) {
      const repository = path.join(dataDir, 'git', pull.path)
      const head = git(repository, 'rev-parse', `refs/heads/${pull.headBranch}`).trim()
      assert.equal(head, pull.headCommit)
      assert.equal(git(repository, 'show', `${head}:file-${pull.n}`), 'begun\nmore\nend\n')
      if (pull.merged) git(repository, 'merge-base', '--is-ancestor', pull.mergeCommit ?? '', 'refs/heads/main')
      // Of a merge that was cut off the branch tells, and a minute later the row.
      else if (pull.mergeCommit === null)
        assert.notEqual(execGit(repository, 'merge-base', '--is-ancestor', head, 'refs/heads/main'), 0)
    }
    for (const repository of globSync('git/*/*.git', { cwd: dataDir }))
      git(path.join(dataDir, repository), 'fsck', '--full')
    return found.length
  } finally {
    await pool.end()
  }
}

function execGit(repository: string, ...words: string[]): number {
  try {
    execFileSync('git', words, { cwd: repository, stdio: 'pipe' })
    return 0
  } catch (error) {
    return (error as { status: number }).status
  }
}

test(
  `${backups} backups of a service at work: each is restored, and every run in it ends right`,
  { timeout: 600_000, skip: leftToOther(0, 2) },
  async (t) => {
    const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
      name: 'web',
      import_from: makeRepository({ 'read.me': 'hello\n' }),
    })
    const { token } = await service.call<{ token: string }>('POST', `${at}/tokens`, { name: 'kept', scopes: ['read'] })
    const stop = new AbortController()
    const loading = load(repo.id, stop.signal).catch((error: unknown) => assert.ok(stop.signal.aborted, String(error)))
    await sleep(2_000)
    const targets: string[] = []
    let isBackup = false
    const quiet = new AbortController()
    const reading = read(quiet.signal, () => isBackup)
    // As long without a backup as with.
    await sleep(10_000)
    for (let n = 1; n <= backups; n++) {
      targets.push(path.join(folder, `backup-${n}`))
      const begun = performance.now()
      isBackup = true
      await operate(['backup', targets.at(-1)!], own)
      isBackup = false
      t.diagnostic(`backup ${n} took ${Math.round(performance.now() - begun)} ms`)
      await sleep(n * 37)
    }
    quiet.abort()
    const { during, without } = await reading
    t.diagnostic(
      `a page of runs, p99: ${p99(without)} ms of ${without.length}, during a backup ${p99(during)} ms of ${during.length}`,
    )
    stop.abort()
    await loading
    // The machine is lost.
    service.child.kill('SIGKILL')
    await stopProcess(service.child)
    let open = 0
    for (const target of targets) {
      assert.match(await operate(['verify', target], own), /The backup is whole/)
      const place = await emptyPlace(db)
      await operate(['restore', target], { ...settings, ...place.env })
      const [counted] = await rows<{ open: number }>(
        place.pool,
        `select count(*) as open from run_heads where status in ('queued', 'in_progress')`,
      )
      open += counted?.open ?? 0
      const restored = await startService({
        databaseUrl: place.env['DATABASE_URL'] ?? '',
        env: { ...settings, ...place.env },
      })
      const answer = await fetch(`${restored.url}${at}/agent/runs`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 200, 'a token of before is good')
      const ended = await check(restored, { dataDir: place.dataDir, url: place.env['DATABASE_URL'] ?? '' })
      t.diagnostic(`${path.basename(target)}: ${ended} runs, of which ${counted?.open} were open`)
      await stopProcess(restored.child)
    }
    assert.ok(open > 2 * backups, `${open} runs were open in all backups`)
  },
)
