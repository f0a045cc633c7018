import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { maintainRepository } from '#adapters/codehosts/local/maintain-repository.ts'
import { noCommit } from '#adapters/codehosts/local/start-git.ts'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { systemClock } from '#base/clock.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { openLogger } from '#base/logger.ts'
import { rows } from '#db/pool.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { makeOrganization, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, openWorkTree, testFolder } from '#test/test-git.ts'
import { openGitGateway } from './open-git-gateway.ts'
import { packetLine } from './packet-line.ts'

const db = await testDb()
await saveStorageLimits(db, { organization: 2 ** 30, repo: 2 ** 30, run: 2 ** 30 })
const tokenKeys = makeTokenKeys({ clock: systemClock })
const folder = path.join(await testFolder(), 'repos')
const faults: string[] = []
const logger = openLogger({ level: 'error', destination: { write: (line: string) => void faults.push(line) } })
const host = openLocalHost({ folder })
const gateway = openGitGateway({ pool: db, tokenKeys, hosts: { git: () => host, admin: host }, logger, publicUrl: '' })
const server = http.createServer((request, response) => void gateway(request, response))
await once(server.listen(0, '127.0.0.1'), 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

/** A repository behind the gateway, with a commit on main, and a member's address of it. */
async function makePlace() {
  const { id: organizationId } = await makeOrganization(db)
  const { id: userId } = await makeUser(db, { organizationId, role: 'MEMBER' })
  const token = await makeToken(db, tokenKeys, { organizationId, userId })
  const repo = await createRepo(db, { organizationId, admin: host, name: 'web' })
  const { port } = server.address() as AddressInfo
  const address = `http://ada:${token}@127.0.0.1:${port}/git/${organizationId}/web.git`
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'README.md': 'hello\n' })
  await tree.git('push', '--quiet', address, 'main')
  return { organizationId, repo, address, tree, first, bare: path.join(folder, repo.path) }
}

test('twenty push at once, branch after branch, and others clone, while packs and refs are put together', async () => {
  const { repo, address, tree, bare } = await makePlace()
  for (let n = 0; n < gitLimits.packsMax + 1; n++) {
    await tree.commit({ [`src/${n}.txt`]: `file ${n}\n`.repeat(50) })
    await tree.git('push', '--quiet', address, 'main')
  }
  const people = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const own = openWorkTree(await testFolder())
      await own.git('clone', '--quiet', address, '.')
      return { own, name: `person-${n}`, commits: [] as string[] }
    }),
  )
  const pushing = people.map(async ({ own, name, commits }) => {
    for (let n = 0; n < 2; n++) {
      commits.push(await own.commit({ [`${name}/${n}.txt`]: `${name} ${n}\n`.repeat(50) }))
      await own.git('push', '--quiet', address, `HEAD:refs/heads/${name}/${n}`, `HEAD:refs/heads/${name}/newest`)
      if (n) await own.git('push', '--quiet', address, `:refs/heads/${name}/${n - 1}`)
    }
  })
  const over = new AbortController()
  const pushed = Promise.all(pushing).finally(() => over.abort())
  const cloning = [1, 2].map(async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const copy = openWorkTree(await testFolder())
      await copy.git('clone', '--quiet', '--mirror', address, 'copy.git')
      await copy.git('--git-dir=copy.git', 'fsck', '--strict')
    }
  })
  // Again and again, by two processes' worth, whether there is much to do or not.
  const putting = ['repack', 'pack-refs'].map(async (what) => {
    const { tryGit } = openWorkTree(bare)
    let times = 0
    while (!over.signal.aborted) {
      await maintainRepository(bare)
      const words = ['repack', '-q', '-d', '--geometric=2', '--write-midx', '--write-bitmap-index']
      const { exitCode } = await tryGit(...(what === 'repack' ? words : ['pack-refs', '--all']))
      if (exitCode === 0) times++
    }
    assert.ok(times > 0, `${what} never went through`)
  })
  await pushed
  await Promise.all([...cloning, ...putting])
  const { git } = openWorkTree(bare)
  assert.equal(await git('fsck', '--full', '--strict'), '')
  const { branches } = await host.mirror(repo)
  for (const { name, commits } of people) {
    assert.equal(branches.get(`${name}/1`), commits[1])
    assert.equal(branches.get(`${name}/newest`), commits[1])
    assert.equal(branches.get(`${name}/0`), undefined)
  }
  assert.deepEqual(faults, [])
})

test('ten thousand branches in one push are all there, and only those reach workers that something may follow from', async () => {
  const { organizationId, repo, address, tree, first, bare } = await makePlace()
  const names = Array.from({ length: 10_000 }, (_, n) => `team-${n % 10}/branch-${n}`)
  const commit = await tree.commit({ 'more.md': 'more\n' })
  await db.query(
    `insert into pulls (organization_id, repo_id, number, title, body, head_branch, base_branch, head_commit, merge_base)
     values ($1, $2, 1, 't', '', $3, 'main', $4, $4)`,
    [organizationId, repo.id, names[7], first],
  )
  await db.query('delete from jobs')
  // Git itself takes a minute to find out that each of them is new, whoever serves them; so it is sent what git then sends.
  const commands = names.map(
    (name, n) => `${noCommit} ${n % 2 ? commit : first} refs/heads/${name}${n ? '' : '\0 report-status'}`,
  )
  const pack = await buffer(tree.pack(commit, first))
  const answer = await post(address, Buffer.concat([...commands.map(packetLine), Buffer.from('0000'), pack]))
  assert.equal(answer.match(/ok refs\/heads\//g)?.length, 10_000)
  const { branches } = await host.mirror(repo)
  assert.equal(branches.size, 10_001)
  assert.deepEqual([branches.get(names[8]!), branches.get(names[9]!)], [first, commit])
  const events = await rows<{ branch: string; after: string; before: string | null }>(
    db,
    `select event->>'branch' as branch, event->>'after' as after, event->>'before' as before from host_events
     where organization_id = $1 and event->>'type' = 'push' and subject <> 'branch:main' order by id`,
    [organizationId],
  )
  assert.equal(events.length, 10_000)
  for (const { branch, after, before } of events) assert.deepEqual([after, before], [branches.get(branch), null])
  assert.deepEqual(await jobKeys(organizationId), [`${repo.id} branch:${names[7]}`, `${repo.id} pull:1`])
  const loose = await readdir(path.join(bare, 'refs'), { recursive: true, withFileTypes: true })
  assert.deepEqual(
    loose.filter((file) => file.isFile()),
    [],
  )
  await tree.git('push', '--quiet', address, '--delete', ...names.slice(0, 200))
  assert.equal((await host.mirror(repo)).branches.size, 9_801)
  assert.deepEqual(faults, [])
})

test('a push with options goes through, and its sender reads that they are ignored, also where it is refused', async () => {
  const { repo, address, tree } = await makePlace()
  const commit = await tree.commit({ 'more.md': 'more\n' })
  const options = ['-o', 'ci.skip', '--push-option=merge_request.create']
  const pushed = await tree.tryGit('push', ...options, address, 'main', 'main:refs/heads/other')
  assert.equal(pushed.exitCode, 0, pushed.stderr)
  assert.match(pushed.stderr, /^remote: Push options are ignored here\.\s*$/m)
  const { branches } = await host.mirror(repo)
  assert.deepEqual([branches.get('main'), branches.get('other')], [commit, commit])
  const refused = await tree.tryGit('push', ...options, address, 'main:refs/pull/1/head')
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /^remote: Push options are ignored here\.\s*$/m)
  assert.match(refused.stderr, /only branches and tags can be pushed/)
  const plain = await tree.tryGit('push', address, 'main:refs/heads/third')
  assert.doesNotMatch(plain.stderr, /options/)
  assert.deepEqual(faults, [])
})

test('one push may move so many refs and no more, and says so', async () => {
  const { repo, address, first } = await makePlace()
  const line = (n: number) =>
    packetLine(`${first} ${noCommit} refs/heads/b${n}${n ? '' : '\0 report-status delete-refs'}`)
  const lines = Array.from({ length: gitLimits.pushRefsMax + 1 }, (_, n) => line(n))
  const answer = await post(address, Buffer.concat([...lines, Buffer.from('0000')]))
  assert.match(answer, /ng refs\/heads\/b20000 one push may move 20000 branches and tags/)
  assert.deepEqual([...(await host.mirror(repo)).branches.keys()], ['main'])
})

/** What the service answers to what a git client sends. */
async function post(address: string, body: Buffer): Promise<string> {
  const { origin, pathname, password } = new URL(address)
  const headers = { authorization: `Bearer ${password}`, 'content-type': 'application/x-git-receive-pack-request' }
  const response = await fetch(`${origin}${pathname}/git-receive-pack`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  assert.equal(response.status, 200)
  return response.text()
}

const jobKeys = async (organizationId: number) =>
  (
    await rows<{ key: string }>(db, `select key from jobs where organization_id = $1 and kind = 'host_event'`, [
      organizationId,
    ])
  )
    .map(({ key }) => key)
    .sort()
