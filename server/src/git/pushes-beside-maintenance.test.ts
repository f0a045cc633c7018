import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { maintainRepository } from '#adapters/codehosts/local/maintain-repository.ts'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { systemClock } from '#base/clock.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { openLogger } from '#base/logger.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { makeOrganization, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, openWorkTree, testFolder } from '#test/test-git.ts'
import { openGitGateway } from './open-git-gateway.ts'

const db = await testDb()
await saveStorageLimits(db, { organization: 2 ** 30, repo: 2 ** 30, run: 2 ** 30 })
const tokenKeys = makeTokenKeys({ clock: systemClock })
const folder = path.join(await testFolder(), 'repos')
const faults: string[] = []
const logger = openLogger({ level: 'error', destination: { write: (line: string) => void faults.push(line) } })
const host = openLocalHost({ folder })
const gateway = openGitGateway({ pool: db, tokenKeys, hosts: { git: () => host, admin: host }, logger })
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
  await tree.commit({ 'README.md': 'hello\n' })
  await tree.git('push', '--quiet', address, 'main')
  return { repo, address, tree, bare: path.join(folder, repo.path) }
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
    for (let n = 0; n < 3; n++) {
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
    assert.equal(branches.get(`${name}/2`), commits[2])
    assert.equal(branches.get(`${name}/newest`), commits[2])
    assert.equal(branches.get(`${name}/0`), undefined)
  }
  assert.deepEqual(faults, [])
})
