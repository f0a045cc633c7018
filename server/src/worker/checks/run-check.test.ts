import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { limits } from '#base/limits.ts'
import { rows } from '#db/pool.ts'
import { finishCheck } from '#domain/hosts/checks/finish-check.ts'
import { saveEgress } from '#domain/repos/egress/save-egress.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { recordPullHeads } from '#domain/hosts/pulls/record-pull-heads.ts'
import { updatePull } from '#domain/hosts/pulls/update-pull.ts'
import { saveSecret } from '#domain/repos/secrets/save-secret.ts'
import { commitTo } from '#test/commit-to.ts'
import { never, openCheckScenes, type Scene } from '#test/check-scenes.ts'
import { until } from '#test/test-sandboxes.ts'
import { cleanSandboxes } from '#worker/upkeep/clean-sandboxes.ts'
import { checkCommit } from './check-commit.ts'
import { CheckLog } from './check-log.ts'

const { app, db, checks, claimCheck, loseClaims, makeScene, handleEvents, drain, checkOf, logOf } =
  await openCheckScenes()

async function push(scene: Scene, files: Record<string, string>): Promise<string> {
  const { organizationId, repoId, repository, branch } = scene
  const commit = commitTo(repository, { branch, files })
  await recordPullHeads(db, { organizationId, repoId, updates: [{ branch, commit }] })
  return commit
}

test('the head of a pull request is checked by the repository’s command, after its setup', async () => {
  const scene = await makeScene('test "$(cat made.txt)" = "$(cat b.txt)" && git log --format=%s', {
    setup: 'cp b.txt made.txt',
  })
  await drain()
  const check = await checkOf(scene)
  assert.partialDeepStrictEqual(check, {
    name: 'test',
    app: 'local',
    status: 'completed',
    conclusion: 'success',
    hasLog: true,
  })
  assert.equal(
    await logOf(scene),
    '$ cp b.txt made.txt\n$ test "$(cat made.txt)" = "$(cat b.txt)" && git log --format=%s\nWork\nWork\n',
  )
  const [sandbox] = await rows<{ ended: string }>(
    db,
    `select end_reason as ended from sandboxes where organization_id = $1 and check_id = $2`,
    [scene.organizationId, Number(check?.key)],
  )
  assert.ok(sandbox?.ended)
  assert.deepEqual(await app.sandboxes.list(), [])
})

test('a check that fails says with what and what that usually means, and each change is told', async () => {
  const scene = await makeScene('echo "src/a.ts(1,7): error TS2322: Type mismatch."; exit 2')
  await drain()
  const check = await checkOf(scene)
  assert.equal(check?.conclusion, 'failure')
  assert.equal(check.summary, 'Exit code 2. The types do not fit.\nsrc/a.ts(1,7): error TS2322: Type mismatch.')
  const report = await rows(db, `select from host_events where organization_id = $1 and subject = $2`, [
    scene.organizationId,
    `commit:${scene.commit}`,
  ])
  assert.equal(report.length, 3)
})

test('a check that takes too long is stopped', async () => {
  const scene = await makeScene('echo begun; sleep 600')
  await handleEvents()
  const claimed = await claimCheck()
  assert.ok(claimed)
  const log = new CheckLog({ store: async () => {}, onFault: assert.ifError })
  const outcome = await checkCommit(app, { claimed, log, signal: never, checkMs: 300 })
  assert.equal(outcome.conclusion, 'timed_out')
  await finishCheck(db, { claimed, ...outcome, log: log.take(), blobs: app.blobs })
  assert.match(await logOf(scene), /^\$ echo begun; sleep 600\nbegun\n/)
})

test('when the branch moves on, its check is cancelled where it runs, and the new head is checked', async () => {
  const scene = await makeScene('[ -e c.txt ] || sleep 600')
  await handleEvents()
  assert.ok(await checks.begin(never))
  const commit = await push(scene, { 'c.txt': 'c' })
  await drain()
  assert.equal((await checkOf(scene))?.conclusion, 'cancelled')
  assert.equal((await checkOf(scene, commit))?.conclusion, 'success')
})

test('a check that waits is cancelled with its pull request, and wanted again when that is opened again', async () => {
  const scene = await makeScene('true')
  await handleEvents()
  const change = (state: 'open' | 'closed') =>
    updatePull(db, { ...scene, hosts: app.hosts, title: undefined, body: undefined, state })
  await change('closed')
  await handleEvents()
  assert.equal((await checkOf(scene))?.conclusion, 'cancelled')
  await change('open')
  await drain()
  assert.equal((await checkOf(scene))?.conclusion, 'success')
})

test('of the default branch the newest commit alone is checked', async () => {
  const scene = await makeScene('true')
  await drain()
  const { organizationId, repoId, repository } = scene
  const commits: string[] = []
  for (const n of ['1', '2']) {
    commits.push(commitTo(repository, { branch: 'main', files: { [n]: n } }))
    const event = { type: 'push', branch: 'main', before: null, after: commits.at(-1)!, runId: null } as const
    await recordHostEvent(db, {
      organizationId,
      repoId,
      event: { ...event, actor: null, at: new Date().toISOString() },
    })
    if (n === '1') await handleEvents()
  }
  await drain()
  const found = await Promise.all(commits.map((commit) => checkOf(scene, commit)))
  assert.deepEqual(
    found.map((check) => check?.conclusion),
    ['cancelled', 'success'],
  )
})

test('a check whose worker was lost is run again once, and what the lost one says later counts for nothing', async () => {
  const scene = await makeScene('true')
  await handleEvents()
  const lost = await claimCheck()
  assert.ok(lost)
  assert.equal(await checks.begin(never), 0)
  await loseClaims()
  await drain()
  const before = await checkOf(scene)
  assert.equal(before?.conclusion, 'success')
  const late = { claimed: lost, conclusion: 'failure', summary: 'late', log: Buffer.from('late') } as const
  assert.equal(await finishCheck(db, { ...late, blobs: app.blobs }), false)
  assert.deepEqual(await checkOf(scene), before)
})

test('what a check prints is read while it runs, masked; a worker that takes it over begins its log anew, and says so', async () => {
  const scene = await makeScene(
    'echo "token: $TOKEN"; echo next, and whatever may come after; [ -e /tmp/never ] || sleep 600',
  )
  const { organizationId, repoId } = scene
  await saveSecret(db, app.secretBox, { organizationId, repoId, name: 'TOKEN', value: 'a-secret-of-the-repository' })
  await db.query(`update repos set environment_secrets = '{TOKEN}' where id = $1`, [repoId])
  await handleEvents()
  const ending = new AbortController()
  assert.ok(await checks.begin(ending.signal))
  // What may be the beginning of a secret waits for what comes next.
  const printed = '\ntoken: [redacted:TOKEN]\nn'
  await until(async () => (await logOf(scene)).includes(printed), 'what it prints can be read')
  assert.partialDeepStrictEqual(await checkOf(scene), { status: 'in_progress', hasLog: true })
  ending.abort()
  await checks.ended()
  assert.partialDeepStrictEqual(await checkOf(scene), { status: 'queued', hasLog: true })
  assert.ok((await logOf(scene)).includes(printed), 'it is left for people until somebody begins anew')
  assert.ok(await checks.begin(never))
  const anew =
    /^\[The attempt before was not finished; this one begins anew\.\]\n\$ echo [^]*\ntoken: \[redacted:TOKEN\]\nn/
  await until(async () => anew.test(await logOf(scene)), 'the log begins anew')
  await updatePull(db, { ...scene, hosts: app.hosts, title: undefined, body: undefined, state: 'closed' })
  await drain()
  assert.equal((await checkOf(scene))?.conclusion, 'cancelled')
  assert.match(await logOf(scene), anew)
})

test('a check that takes its worker with it each time is given up', async () => {
  const scene = await makeScene('true')
  await handleEvents()
  await db.query(`update checks set losses = 2 where commit = $1`, [scene.commit])
  await db.query(`update repos set path = path || '.gone' where id = $1`, [scene.repoId])
  while (await checks.begin(never)) await checks.ended()
  await checks.ended()
  assert.equal((await checkOf(scene))?.conclusion, 'startup_failure')
})

test('a check whose workers are killed each time is given up too', async () => {
  const scene = await makeScene('true')
  await handleEvents()
  for (let n = 0; n < limits.checkLossesMax; n++) {
    assert.ok(await claimCheck())
    await loseClaims()
  }
  await drain()
  assert.equal((await checkOf(scene))?.conclusion, 'startup_failure')
})

test('a worker that ends hands its checks on', async () => {
  const scene = await makeScene('[ -e /tmp/never ] || sleep 600')
  await handleEvents()
  const ending = new AbortController()
  assert.ok(await checks.begin(ending.signal))
  await until(async () => (await app.sandboxes.list()).length > 0, 'its sandbox is there')
  ending.abort()
  await checks.ended()
  assert.partialDeepStrictEqual(await checkOf(scene), { status: 'queued', conclusion: null })
  assert.deepEqual(await app.sandboxes.list(), [])
  await updatePull(db, { ...scene, hosts: app.hosts, title: undefined, body: undefined, state: 'closed' })
  await handleEvents()
})

test('what a killed worker left of a check is removed, and that of one at work is not', async () => {
  const scene = await makeScene('sleep 600')
  await handleEvents()
  assert.ok(await checks.begin(never))
  await until(async () => (await app.sandboxes.list()).length > 0, 'the sandbox of the one at work is there')
  const [atWork] = await app.sandboxes.list()
  const left = await app.sandboxes.create({
    id: `check-${scene.organizationId}-999999-1`,
    limits: { memoryBytes: 2 ** 28, processes: 64, diskBytes: 2 ** 28, lifetimeMs: 60_000 },
  })
  await cleanSandboxes(app, { except: [] })
  await left.closed
  assert.deepEqual(await app.sandboxes.list(), [atWork])
  await updatePull(db, { ...scene, hosts: app.hosts, title: undefined, body: undefined, state: 'closed' })
  await drain()
  assert.equal((await checkOf(scene))?.conclusion, 'cancelled')
})

test('a check reaches what its repository may, and nothing of ours; its secrets are in no log', async () => {
  const server = createServer((_, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const { port } = server.address() as { port: number }
  const asking = [
    `curl -s http://allowed.test:${port}/`,
    'curl -s http://elsewhere.example/ || true',
    'curl -s $HTTP_PROXY/git/1/x.git/info/refs',
    'echo "model: $RUNWRIGHT_MODEL_URL$RUNWRIGHT_RUN_TOKEN."',
    'echo "token: $TOKEN"; [ -n "$TOKEN" ]',
    'git remote -v',
  ]
  const scene = await makeScene(asking.map((line) => `${line}; echo`).join('\n'))
  const { organizationId, repoId } = scene
  await saveEgress(db, { organizationId, repoId, allow: [`allowed.test:${port}`], presets: [] })
  await saveSecret(db, app.secretBox, { organizationId, repoId, name: 'TOKEN', value: 'a-secret-of-the-repository' })
  await db.query(`update repos set environment_secrets = '{TOKEN}' where id = $1`, [repoId])
  await drain()
  const log = await logOf(scene)
  assert.equal((await checkOf(scene))?.conclusion, 'success', log)
  assert.match(log, /\nhello\n[^]*There is nothing here\.[^]*\nmodel: \.\n[^]*token: \[redacted:TOKEN\]/)
  const asked = await rows<{ name: string; allowed: boolean }>(
    db,
    'select name, allowed from egress_requests where organization_id = $1 order by n',
    [organizationId],
  )
  assert.deepEqual(asked, [
    { name: 'allowed.test', allowed: true },
    { name: 'elsewhere.example', allowed: false },
  ])
})

test('what `.runwright.yml` of the base allows is reached by checks and their setup, where an ADMIN lets it', async () => {
  const server = createServer((_, response) => response.end('hello\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const { port } = server.address() as { port: number }
  const ask = `curl -sf http://allowed.test:${port}/`
  const environment = `setup: ${ask} > made.txt || echo refused > made.txt\negress: { allow: ['allowed.test:${port}'] }\n`
  const look = `cat made.txt; ${ask} || echo refused`
  for (const isFromFileToo of [false, true]) {
    const scene = await makeScene(look)
    const { organizationId, repoId, repository, branch } = scene
    commitTo(repository, { branch: 'main', files: { '.runwright.yml': environment } })
    // The head would have itself reach more; it is not asked.
    commitTo(repository, { branch, files: { '.runwright.yml': `egress: { allow: ['elsewhere.test'] }\n` } })
    await saveEgress(db, { organizationId, repoId, allow: [], presets: [], isFromFileToo })
    await drain()
    const text = isFromFileToo ? 'hello' : 'refused'
    assert.ok((await logOf(scene)).endsWith(`${look}\n${text}\n${text}\n`), await logOf(scene))
  }
})

test('hostile output is kept within its bounds, whole at both ends', async () => {
  const scene = await makeScene(
    `echo first; head -c 20000000 /dev/zero | tr '\\0' x; printf '\\x1b]0;title\\x07\\xff\\xfe'; echo last; exit 1`,
  )
  await drain()
  const log = await logOf(scene)
  assert.ok(Buffer.byteLength(log) < 1_100_000)
  assert.ok(/\nfirst\nx+\n\[\d+ bytes in the middle are left out\]\nx+/.test(log), log.slice(0, 300))
  assert.match(log, /last\n$/)
  assert.equal((await checkOf(scene))?.conclusion, 'failure')
})
