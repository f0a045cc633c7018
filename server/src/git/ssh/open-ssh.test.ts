import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import ssh2 from 'ssh2'
import { one } from '#db/pool.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { makeSshKey, runSsh, sshOptions, sshWorkTree, type SshKey } from '#test/ssh-client.ts'
import { testApp } from '#test/test-app.ts'
import { openWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { packetLine } from '#git/packet-line.ts'
import { openSsh, type SshServer } from './open-ssh.ts'

const { app, ask, member } = await testApp()
const listen = { host: '127.0.0.1', port: 0 }
let ssh: SshServer
before(async () => {
  ssh = await openSsh(app, listen)
})
after(() => ssh[Symbol.asyncDispose]())

type Place = Awaited<ReturnType<typeof member>> & { repoId: number; name: string; address: string; keys: string }

/** A repository of an organization of its own. */
async function makePlace(name = 'web', organization?: Place): Promise<Place> {
  const me = organization ?? (await member())
  const made = await ask(`${me.path}/repos`, { method: 'POST', token: me.token, body: { name } })
  const repoId = Number(made.body.id)
  const address = `ssh://git@127.0.0.1:${ssh.port}/${me.organizationId}/${name}.git`
  return { ...me, repoId, name, address, keys: `${me.path}/repos/${repoId}/deploy-keys` }
}

async function addKey(place: Place, key: SshKey, canPush = false): Promise<number> {
  const body = { title: 'CI', key: key.line, can_push: canPush }
  const answer = await ask(place.keys, { method: 'POST', token: place.token, body })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.fingerprint, key.fingerprint)
  return Number(answer.body.id)
}

/** The same with a first commit on `main`, and a key that may push. */
async function makeFilledPlace(): Promise<Place & { key: SshKey; keyId: number; tree: WorkTree; first: string }> {
  const place = await makePlace()
  const key = await makeSshKey()
  const keyId = await addKey(place, key, true)
  const tree = await sshWorkTree(key)
  const first = await tree.commit({ 'README.md': 'hello\n' })
  await tree.git('push', '--quiet', place.address, 'main')
  return { ...place, key, keyId, tree, first }
}

const branchesOf = async ({ organizationId, repoId }: Place) => {
  const ref = { organizationId, path: `${organizationId}/${repoId}.git` }
  return Object.fromEntries((await app.hosts.git(ref).mirror(ref)).branches)
}

/** Until a clone or push with the key has begun. */
async function untilUsed(keyId: number): Promise<void> {
  const statement = 'select last_used_at is not null as "isUsed" from deploy_keys where id = $1'
  while (!(await one<{ isUsed: boolean }>(app.pool, statement, [keyId])).isUsed) await pause(5)
}

async function clone(place: Place, key: SshKey, ...words: string[]): Promise<WorkTree> {
  const folder = path.join(await testFolder(), 'clone')
  const command = `ssh ${(await sshOptions(key)).join(' ')}`
  const outside = openWorkTree(path.dirname(folder))
  await outside.git('-c', `core.sshCommand=${command}`, 'clone', '--quiet', ...words, place.address, folder)
  return sshWorkTree(key, folder)
}

test('a key that may push fills an empty repository, and is cloned, fetched and pushed with', async () => {
  const { tree, first, ...place } = await makeFilledPlace()
  assert.deepEqual(await branchesOf(place), { main: first })
  const { body: repo } = await ask(`${place.path}/repos/${place.repoId}`, { token: place.token })
  assert.equal(repo.default_branch, 'main')
  const copy = await clone(place, place.key)
  assert.equal(await copy.git('rev-parse', 'HEAD'), first)
  const second = await copy.commit({ 'a.txt': 'a'.repeat(100_000), 'bin/b': Buffer.from([0, 1, 2]) })
  await copy.git('push', '--quiet', 'origin', 'main', 'HEAD:refs/heads/other', 'HEAD:refs/tags/v1')
  assert.deepEqual(await branchesOf(place), { main: second, other: second })
  await tree.git('fetch', '--quiet', place.address, 'main')
  assert.equal(await tree.git('rev-parse', 'FETCH_HEAD'), second)
  assert.match(await copy.git('push', '--porcelain', 'origin', 'main'), /up to date/)
  // No pack follows, and git keeps its side open until it has the answer.
  await copy.git('push', '--quiet', 'origin', ':other', ':refs/tags/v1')
  assert.deepEqual(await branchesOf(place), { main: second })
  const shallow = await clone(place, place.key, '--depth=1')
  assert.equal(await shallow.git('rev-list', '--count', 'HEAD'), '1')
  await copy.git('push', '--quiet', '--atomic', '-o', 'ci.skip', 'origin', 'HEAD:refs/heads/x', 'HEAD:refs/heads/y')
  const { body } = await ask(place.keys, { token: place.token })
  const [listed] = body.items as { last_used_at: string | null }[]
  assert.ok(Date.parse(listed?.last_used_at ?? '') > Date.now() - 600_000)
})

test('every version of the protocol is spoken, and partial clones are', async () => {
  const { first, ...place } = await makeFilledPlace()
  for (const version of [0, 1, 2]) {
    const tree = await clone(place, place.key, '-c', `protocol.version=${version}`)
    assert.equal(await tree.git('rev-parse', 'HEAD'), first)
  }
  const traced = await clone(place, place.key, '--filter=blob:none', '--no-checkout')
  assert.match(await traced.git('rev-list', '--objects', '--missing=print', 'HEAD'), /^\?/m)
})

test('keys of every type that is taken open what they are given for', async () => {
  const { first, ...place } = await makeFilledPlace()
  for (const type of ['ecdsa -b 256', 'ecdsa -b 384', 'ecdsa -b 521', 'rsa -b 2048']) {
    const key = await makeSshKey(...type.split(' '))
    await addKey(place, key)
    assert.equal(await (await clone(place, key)).git('rev-parse', 'HEAD'), first, type)
  }
})

test('a key that only reads is refused in words before anything is sent', async () => {
  const { first, ...place } = await makeFilledPlace()
  const key = await makeSshKey()
  await addKey(place, key)
  const copy = await clone(place, key)
  await copy.commit({ 'a.txt': 'a' })
  const refused = await copy.tryGit('push', 'origin', 'main')
  assert.notEqual(refused.exitCode, 0)
  assert.match(refused.stderr, /^Runwright: Nothing can be pushed: this deploy key may only read\.$/m)
  assert.deepEqual(await branchesOf(place), { main: first })
})

test('a client that waits for the answer to its push without ending its side gets it', async () => {
  const { key, tree, ...place } = await makeFilledPlace()
  const old = await tree.git('rev-parse', 'HEAD')
  const pushed = await tree.commit({ 'big.bin': randomBytes(3 * 2 ** 20) })
  const client = new ssh2.Client()
  client.connect({ host: '127.0.0.1', port: ssh.port, username: 'git', privateKey: key.private })
  await once(client, 'ready')
  const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
    client.exec(`git-receive-pack '/${place.organizationId}/web.git'`, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  )
  let printed = ''
  channel.on('data', (chunk: Buffer) => (printed += chunk.toString('latin1')))
  channel.write(packetLine(`${old} ${pushed} refs/heads/main\0report-status`))
  channel.write('0000')
  // In pieces, one of which ends before the digest does.
  const pack = Buffer.concat(await Array.fromAsync(tree.pack(pushed, old)))
  channel.write(pack.subarray(0, -7))
  await pause(300)
  channel.write(pack.subarray(-7))
  const [code] = (await once(channel, 'close')) as [number]
  assert.equal(code, 0)
  assert.match(printed, /unpack ok\n.*ok refs\/heads\/main\n/s)
  client.end()
  assert.deepEqual(await branchesOf(place), { main: pushed })
})

test('branch rules, the default branch and history are protected as over HTTP, ref by ref', async () => {
  const { first, tree, ...place } = await makeFilledPlace()
  const rule = {
    pattern: 'main',
    require_pull: true,
    required_checks: [],
    required_approvals: 0,
    allow_force_push: false,
  }
  const body = { branch_rules: [rule] }
  const saved = await ask(`${place.path}/repos/${place.repoId}`, { method: 'PATCH', token: place.token, body })
  assert.equal(saved.status, 200, saved.text)
  await tree.commit({ 'a.txt': 'a' })
  const refused = await tree.tryGit('push', place.address, 'main', 'HEAD:refs/heads/free')
  assert.match(refused.stderr, /main -> main \(a rule protects this branch: push another one and open a pull request\)/)
  assert.match(refused.stderr, /free \(nothing is pushed, since another ref was refused\)/)
  const deleted = await tree.tryGit('push', place.address, ':main')
  assert.match(deleted.stderr, /\(the default branch may not be deleted\)/)
  const hidden = await tree.tryGit('push', place.address, 'HEAD:refs/internal/x')
  assert.match(hidden.stderr, /\(only branches and tags can be pushed\)/)
  assert.deepEqual(await branchesOf(place), { main: first })
})

test('a push moves its pull request, and is handed to whoever acts on pushes', async () => {
  const { tree, ...place } = await makeFilledPlace()
  const { organizationId, repoId } = place
  await tree.git('checkout', '--quiet', '-b', 'change')
  const before = await tree.commit({ 'a.txt': '1' })
  await tree.git('push', '--quiet', place.address, 'change')
  const pulls = { runId: null, title: 'Change', body: '', headBranch: 'change', baseBranch: 'main', publicUrl: '' }
  const { pull } = await openPull(app.pool, { organizationId, repoId, ...pulls, headCommit: before })
  const moved = await tree.commit({ 'a.txt': '2' })
  await tree.git('push', '--quiet', place.address, 'change')
  const statement = 'select head_commit from pulls where organization_id = $1 and id = $2'
  assert.equal((await one<{ headCommit: string }>(app.pool, statement, [organizationId, pull.id])).headCommit, moved)
  const { event } = await one<{ event: Record<string, unknown> }>(
    app.pool,
    `select event from host_events where organization_id = $1 and event->>'type' = 'push' order by id desc limit 1`,
    [organizationId],
  )
  assert.partialDeepStrictEqual(event, { branch: 'change', before, after: moved, runId: null, actor: null })
})

test('what does not fit the storage limit is refused whole, and said', async () => {
  const { first, tree, ...place } = await makeFilledPlace()
  await limitStorage(app.pool, { organizationId: place.organizationId, byOperator: true, bytesMax: 2 ** 20 })
  await tree.commit({ 'big.bin': randomBytes(2 * 2 ** 20) })
  const refused = await tree.tryGit('push', place.address, 'main')
  assert.match(refused.stderr, /! \[remote rejected\] main -> main \(.*storage/i)
  assert.deepEqual(await branchesOf(place), { main: first })
})

test('a key opens the one repository that it was given for, in each organization that has given it one', async () => {
  const { key, ...place } = await makeFilledPlace()
  const sibling = await makePlace('api', place)
  const other = await makeFilledPlace()
  for (const closed of [sibling, other]) {
    const refused = await runSsh(key, ssh.port, [`git-upload-pack '/${closed.organizationId}/${closed.name}.git'`])
    assert.equal(refused.exitCode, 1)
    assert.equal(refused.stderr.trim(), 'Runwright: There is no such repository.')
    assert.equal(refused.stdout, '')
  }
  const again = { method: 'POST', token: place.token, body: { title: 'Again', key: key.line } }
  assert.equal((await ask(sibling.keys, again)).status, 409)
  await addKey(other, key)
  assert.equal(await (await clone(other, key)).git('rev-parse', 'HEAD'), other.first)
  const pushed = await runSsh(key, ssh.port, [`git-receive-pack '/${other.organizationId}/web.git'`])
  assert.match(pushed.stderr, /this deploy key may only read/)
})

test('who has no key of a repository, or another name than git, hears the same', async () => {
  const { key, ...place } = await makeFilledPlace()
  const words = [`git-upload-pack '/${place.organizationId}/web.git'`]
  const unknown = await runSsh(await makeSshKey(), ssh.port, words)
  const misnamed = await runSsh(key, ssh.port, words, 'root')
  for (const { exitCode, stderr } of [unknown, misnamed]) {
    assert.equal(exitCode, 255)
    assert.match(stderr, /Permission denied \(publickey\)/)
  }
  assert.equal(unknown.stderr.replace('git@', ''), misnamed.stderr.replace('root@', ''))
})

test('a key that was removed opens nothing from then on, on a connection that is open either', async () => {
  const { key, keyId, ...place } = await makeFilledPlace()
  const client = new ssh2.Client()
  client.connect({ host: '127.0.0.1', port: ssh.port, username: 'git', privateKey: key.private })
  await new Promise<void>((resolve, reject) => client.once('ready', resolve).once('error', reject))
  const fetchOnce = () =>
    new Promise<{ code: number; text: string }>((resolve, reject) =>
      client.exec(`git-upload-pack '/${place.organizationId}/web.git'`, (error, channel) => {
        if (error) return reject(error)
        let text = ''
        channel.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
        // The branches may come in several pieces, and the channel ends once.
        channel.once('data', () => channel.end('0000'))
        channel.on('close', (code: number) => resolve({ code, text }))
      }),
    )
  assert.deepEqual(await fetchOnce(), { code: 0, text: '' })
  const removed = await ask(`${place.keys}/${keyId}`, { method: 'DELETE', token: place.token })
  assert.equal(removed.status, 204)
  assert.deepEqual(await fetchOnce(), { code: 1, text: 'Runwright: There is no such repository.\n' })
  client.end()
  const refused = await runSsh(key, ssh.port, ['x'])
  assert.match(refused.stderr, /Permission denied/)
})

test('a key that is removed while a push is being sent moves no branch', async () => {
  const { key, keyId, first, ...place } = await makeFilledPlace()
  const copy = await clone(place, key)
  await copy.commit({ 'big.bin': randomBytes(20 * 2 ** 20) })
  await app.pool.query('update deploy_keys set last_used_at = null where id = $1', [keyId])
  const pushing = copy.tryGit('push', 'origin', 'main')
  await untilUsed(keyId)
  await app.pool.query('delete from deploy_keys where id = $1', [keyId])
  const refused = await pushing
  assert.notEqual(refused.exitCode, 0)
  assert.match(refused.stderr, /^Runwright: There is no such repository\.$/m)
  assert.deepEqual(await branchesOf(place), { main: first })
})

test('nothing is served but git on one repository', async () => {
  const { key, organizationId } = await makeFilledPlace()
  const at = `/${organizationId}/web.git`
  const commands = [
    'sh',
    'ls /',
    "git-upload-pack '../../x'",
    `git-upload-pack '${at}'; rm -rf /`,
    `git-upload-pack '${at}' --help`,
    `git-upload-pack --strict '${at}'`,
    `git-upload-pack '/1/../${organizationId}/web.git'`,
    `git-upload-pack '${at}\n'`,
    `git-upload-archive '${at}'`,
    `git-shell -c "git-upload-pack '${at}'"`,
    `git-upload-pack '/${'9'.repeat(16)}/web.git'`,
    `git-upload-pack '${at}${'x'.repeat(5_000)}'`,
  ]
  for (const command of commands) {
    const refused = await runSsh(key, ssh.port, [command])
    assert.equal(refused.exitCode, 1, command)
    assert.match(refused.stderr, /^Runwright: (Only git clone, fetch and push|The command is too long)/, command)
  }
  const lfs = await runSsh(key, ssh.port, [`git-lfs-authenticate '${at}' download`])
  assert.match(lfs.stderr, /^Runwright: Git LFS is served over HTTP alone\. Set lfs\.url/)
  const shell = await runSsh(key, ssh.port, [])
  assert.notEqual(shell.exitCode, 0)
})

test('the host key is the same after a restart, and clients that know it connect without a question', async () => {
  const { key, first, ...place } = await makeFilledPlace()
  const again = await openSsh(app, listen)
  assert.equal(again.fingerprint, ssh.fingerprint)
  await again[Symbol.asyncDispose]()
  const { fingerprint, sealed } = await one<{ fingerprint: string; sealed: Buffer }>(
    app.pool,
    'select fingerprint, sealed from ssh_host_key',
  )
  assert.equal(fingerprint, ssh.fingerprint)
  assert.ok(!sealed.includes('PRIVATE KEY'))
  assert.equal(await (await clone(place, key)).git('rev-parse', 'HEAD'), first)
})

test('whoever is at work when the service ends is served to the end, and nobody new is let in', async () => {
  const { key, keyId, ...place } = await makeFilledPlace()
  const second = await openSsh(app, listen)
  const at = { ...place, address: place.address.replace(`:${ssh.port}/`, `:${second.port}/`) }
  const copy = await clone(at, key)
  const pushed = await copy.commit({ 'big.bin': randomBytes(20 * 2 ** 20) })
  await app.pool.query('update deploy_keys set last_used_at = null where id = $1', [keyId])
  const pushing = copy.tryGit('push', '--quiet', 'origin', 'main')
  await untilUsed(keyId)
  const ended = second[Symbol.asyncDispose]()
  const refused = await runSsh(key, second.port, ['x'])
  assert.equal(refused.exitCode, 255)
  assert.equal((await pushing).exitCode, 0)
  await ended
  assert.deepEqual(await branchesOf(place), { main: pushed })
})
