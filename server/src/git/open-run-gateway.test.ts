import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { limits } from '#base/limits.ts'
import { openLogger } from '#base/logger.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { RunRedactors } from '#domain/runs/redaction/run-redactors.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { getRunBranch } from '#domain/runs/git-access/get-run-branch.ts'
import { recordBranch } from '#domain/runs/runs/record-branch.ts'
import { updateStatusDetail } from '#domain/runs/runs/update-status-detail.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, makeSecretBox } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { openRunGateway } from './open-run-gateway.ts'
import { packetLine } from './packet-line.ts'

const db = await testDb()
const root = path.join(await testFolder(), 'repos')
const host = openLocalHost({
  folder: root,
})
const faults: string[] = []
const logger = openLogger({ level: 'error', destination: { write: (line: string) => void faults.push(line) } })
const announced: number[] = []
const notifier = { notifyRun: (runId: number) => void announced.push(runId) } as never
const redactors = new RunRedactors({ db, secretBox: makeSecretBox(), own: [], canaryKeys: [] })
const gateway = openRunGateway({ pool: db, hosts: { git: () => host, admin: host }, logger, notifier, redactors })

type Scene = { holder: Holder; repoId: number; name: string; address: string; tree: WorkTree; first: string }

/** A run at work on a repository with one commit on `main`, and a work tree at it, from which its sandbox's gateway is reached. */
async function setScene(name = 'Example.app'): Promise<Scene> {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const repo = await createRepo(db, { organizationId, admin: host, name })
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'README.md': 'hello\n' })
  const seed = { branch: 'main', expected: null, commit: first, pack: tree.pack(first), protectedBranches: [] }
  assert.partialDeepStrictEqual(await host.push(repo, { ...seed, stillAllowed: async () => true }), { pushed: true })
  const { holder } = await makeHeldRun(db, { organizationId, userId, repoId: repo.id })
  await recordBranch(db, { holder, branch: 'agent/1', baseBranch: 'main', baseCommit: first })
  const server = http.createServer((request, response) => void gateway(request, response, { holder }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/git/${organizationId}/${name}.git`
  return { holder, repoId: repo.id, name, address, tree, first }
}

const branchesOf = async ({ holder: { organizationId }, repoId }: Scene) =>
  Object.fromEntries((await host.mirror({ organizationId, path: `${organizationId}/${repoId}.git` })).branches)

const effectsOf = async ({ holder }: Scene) =>
  (await db.query('select state, request, result from effects where run_id = $1 order by created_at', [holder.runId]))
    .rows

const tellHead = ({ holder }: Scene, change: string) =>
  db.query(`update run_heads set ${change} where run_id = $1`, [holder.runId])

test('a push of an agent is done once, stored as an effect of its run, and told in its log', async () => {
  const scene = await setScene()
  const { tree, address, holder } = scene
  const commit = await tree.commit({ work: '1' })
  await tree.git('push', '--quiet', address, 'HEAD:agent/1')
  await tree.git('push', '--quiet', address, 'HEAD:agent/1')
  assert.deepEqual(await branchesOf(scene), { main: scene.first, 'agent/1': commit })
  const request = { branch: 'agent/1', commit, expected: null, turn: 1, byAgent: true }
  assert.deepEqual(await effectsOf(scene), [{ state: 'done', request, result: { commit } }])
  const { rows } = await db.query<{ message_type: string; body: Record<string, unknown> }>(
    'select message_type, body from log_entries where run_id = $1 order by seq',
    [holder.runId],
  )
  assert.deepEqual(
    rows.map(({ message_type, body }) => [message_type, body['tool_name'], body['tool_input']]),
    [['ACTION', 'git_push', { branch: 'agent/1', commit, expected: null }]],
  )
  assert.equal((await getRunBranch(db, holder)).head, commit)
  assert.ok(announced.includes(holder.runId))
})

test('an agent may push with options, which change nothing', async () => {
  const scene = await setScene()
  const { tree, address } = scene
  const commit = await tree.commit({ work: '1' })
  const { exitCode, stderr } = await tree.tryGit(
    'push',
    '-o',
    'ci.skip',
    '-o',
    'a'.repeat(500),
    address,
    'HEAD:agent/1',
  )
  assert.equal(exitCode, 0, stderr)
  assert.match(stderr, /^remote: Push options are ignored here\.\s*$/m)
  assert.deepEqual(await branchesOf(scene), { main: scene.first, 'agent/1': commit })
})

test("the branch's open pull request follows", async () => {
  const scene = await setScene()
  const { tree, address, holder, repoId } = scene
  const { organizationId } = holder
  await tree.commit({ work: '1' })
  await tree.git('push', '--quiet', address, 'HEAD:agent/1')
  const pull = { organizationId, repoId, runId: holder.runId, title: 't', body: '', publicUrl: '' }
  await openPull(db, { ...pull, headBranch: 'agent/1', baseBranch: 'main', headCommit: scene.first })
  const next = await tree.commit({ work: '2' })
  await tree.git('push', '--quiet', address, 'HEAD:agent/1')
  const { rows } = await db.query('select head_commit from pulls where repo_id = $1', [repoId])
  assert.deepEqual(rows, [{ head_commit: next }])
})

test('only branches are shown, and only those of the repository that the run works in', async () => {
  const scene = await setScene()
  const { tree, address, first, holder, repoId } = scene
  const other = await setScene()
  const folder = path.join(root, `${holder.organizationId}/${repoId}.git`)
  for (const ref of ['refs/pull/1/head', 'refs/internal/x', 'refs/tags/v1'])
    await tree.git('-c', 'safe.directory=*', '--git-dir', folder, 'update-ref', ref, first)
  const shown = await tree.git('ls-remote', address)
  assert.deepEqual(shown.split('\n'), [`${first}\tHEAD`, `${first}\trefs/heads/main`])
  const elsewhere = [
    address.replace('Example.app', 'Another'),
    address.replace(`/git/${holder.organizationId}/`, `/git/${other.holder.organizationId}/`),
    address.replace('Example.app', `runs/${holder.runId}`),
    address.replace('Example.app', `../${other.holder.organizationId}/Example.app`),
  ]
  for (const there of elsewhere) assert.match((await tree.tryGit('ls-remote', there)).stderr, /not found/, there)
})

test('nothing is served and nothing is taken once the run is not held, or is told to stop', async () => {
  for (const change of [`lease_id = '${randomUUID()}'`, `wanted = 'cancel'`]) {
    const scene = await setScene()
    const { tree, address, first } = scene
    await tree.commit({ work: '1' })
    await tellHead(scene, change)
    for (const words of [
      ['ls-remote', address],
      ['push', address, 'HEAD:agent/1'],
    ])
      assert.match((await tree.tryGit(...words)).stderr, /403/)
    assert.deepEqual(await branchesOf(scene), { main: first })
  }
})

test('a push that is under way as the run is taken over moves nothing', async () => {
  const scene = await setScene()
  const { tree, address, first } = scene
  const commit = await tree.commit({ work: '1' })
  const pack = Buffer.concat(await Array.fromAsync(tree.pack(commit, first) as AsyncIterable<Buffer>))
  const head = packetLine(`${'0'.repeat(40)} ${commit} refs/heads/agent/1\0 report-status`)
  const request = http.request(`${address}/git-receive-pack`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-git-receive-pack-request' },
  })
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  request.write(Buffer.concat([head, Buffer.from('0000'), pack.subarray(0, 20)]))
  while (!(await effectsOf(scene)).length) await new Promise((resolve) => setTimeout(resolve, 5))
  await tellHead(scene, `lease_id = '${randomUUID()}'`)
  request.end(pack.subarray(20))
  const [response] = await answered
  assert.match(
    (await Array.fromAsync(response)).join(''),
    /ng refs\/heads\/agent\/1 the run is not at work here any more/,
  )
  assert.deepEqual(await branchesOf(scene), { main: first })
})

test('what the agent pushes while its turn ends is refused, since its work is pushed for it', async () => {
  const scene = await setScene()
  const { tree, address, holder } = scene
  await tree.commit({ work: '1' })
  await updateStatusDetail(db, holder, 'creating_pr')
  assert.match(
    (await tree.tryGit('push', address, 'HEAD:agent/1')).stderr,
    /the turn ends, and its work is pushed by then/,
  )
  assert.deepEqual(await effectsOf(scene), [])
})

test('a push onto what is not there any more is refused', async () => {
  const scene = await setScene()
  const { tree, address, first } = scene
  const second = await tree.commit({ work: '1' })
  await tree.git('push', '--quiet', address, 'HEAD:agent/1')
  const body = (ref: string, old: string) =>
    Buffer.concat([packetLine(`${old} ${first} ${ref}\0 report-status`), Buffer.from('0000')])
  const send = async (bytes: Buffer) => {
    const headers = { 'content-type': 'application/x-git-receive-pack-request' }
    const response = await fetch(`${address}/git-receive-pack`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    })
    return `${response.status} ${await response.text()}`
  }
  assert.match(await send(body('refs/heads/agent/1', '0'.repeat(40))), /the branch has moved meanwhile, fetch first/)
  const twice = ['\0 report-status', ''].map((tail) => packetLine(`${second} ${first} refs/heads/agent/1${tail}`))
  assert.match(await send(Buffer.concat([...twice, Buffer.from('0000')])), /^400 .*more than once/)
  assert.equal((await branchesOf(scene))['agent/1'], second)
})

test('a repository that is archived is read, and not pushed to', async () => {
  const scene = await setScene()
  const { tree, address, repoId } = scene
  await db.query('update repos set archived = true where id = $1', [repoId])
  await tree.commit({ work: '1' })
  assert.match((await tree.tryGit('push', address, 'HEAD:agent/1')).stderr, /the repository is archived/)
  await tree.git('fetch', '--quiet', address, 'main')
})

test('a run asks only so much of git at once', async () => {
  const scene = await setScene()
  const { tree, address } = scene
  const waiting = Array.from({ length: limits.runGitAtOnceMax }, () => {
    const headers = { 'content-type': 'application/x-git-receive-pack-request' }
    const request = http.request(`${address}/git-receive-pack`, { method: 'POST', headers })
    request.on('error', () => {})
    request.flushHeaders()
    return request
  })
  const outcome = async () => (await tree.tryGit('ls-remote', address)).stderr
  while (!/503/.test(await outcome())) continue
  for (const request of waiting) request.destroy()
  while ((await outcome()) !== '') continue
})

test('has had no fault of its own in all this', () => {
  assert.deepEqual(faults, [])
})
