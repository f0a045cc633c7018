// What a mirror makes of a host that answers otherwise than it should.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import path from 'node:path'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { openFaultyHost, hostFaults } from '#test/faulty-host.ts'
import { startGitHubServer } from '#test/github-server.ts'
import { testFolder } from '#test/test-git.ts'
import { openLocalHost } from './local.ts'
import { Mirrors } from './mirrors.ts'

const server = await startGitHubServer()
after(() => server[Symbol.asyncDispose]())
const way = await openFaultyHost(server.url)
after(() => way[Symbol.asyncDispose]())
const { token } = server.addPerson('ada')
const authorization = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
const reading = /info\/refs git-upload-pack$/

/** A mirror of a repository with these files; `fail` has the next readings of its branches answered with a page. */
async function makeMirror(name: string, files: Record<string, string>) {
  const there = await server.addRepository({ owner: 'ada', name, files })
  const folder = path.join(await testFolder(), 'repos')
  const local = openLocalHost({ folder, pushBytesMax: 1024 * 1024 })
  const address = `${way.url}/ada/${name}.git`
  const mirrors = new Mirrors(local, {
    folder,
    openAccess: async () => ({ address, authorization }),
    dial: () => Promise.reject(new Error('no large files here')),
    explain: (stderr) => new HostError('unavailable', stderr),
    protectsDefault: false,
    take: async () => null,
    lookAt: async () => {
      const answer = await fetch(`${address}/info/refs?service=git-upload-pack`, { headers: { authorization } })
      await answer.text()
      return {
        isGit: answer.headers.get('content-type') === 'application/x-git-upload-pack-advertisement',
        retryInMs: undefined,
      }
    },
  })
  const repo = { organizationId: 1, path: '1/1.git' }
  const fail = (times: number) => {
    let left = times
    way.decide = (call) => (reading.test(call) && left-- > 0 ? hostFaults.page : undefined)
  }
  const branches = async () => [...(await mirrors.mirror(repo)).branches.keys()]
  return { there, local, repo, fail, branches }
}

test('a page in place of a repository does not empty its mirror, however often it comes', async () => {
  const { local, repo, fail, branches } = await makeMirror('known', { 'a.txt': 'one\n' })
  assert.deepEqual(await branches(), ['main'])
  fail(1)
  assert.deepEqual(await branches(), ['main'], 'it is asked again')
  fail(Infinity)
  await assert.rejects(branches(), { name: 'HostError', code: 'unavailable' })
  assert.deepEqual([...(await local.listBranches(repo)).keys()], ['main'])
})

test('a page is no empty repository, and an empty repository is one', async () => {
  const { fail, branches } = await makeMirror('new', { 'a.txt': 'one\n' })
  fail(1)
  assert.deepEqual(await branches(), ['main'])
  const empty = await makeMirror('empty', { 'a.txt': 'one\n' })
  empty.fail(0)
  await empty.there.git('update-ref', '-d', 'refs/heads/main')
  assert.deepEqual(await empty.branches(), [])
})

test('a branch that is gone there is gone here', async () => {
  const { there, fail, branches } = await makeMirror('pruned', { 'a.txt': 'one\n' })
  fail(0)
  await there.git('branch', 'more', 'main')
  assert.deepEqual((await branches()).sort(), ['main', 'more'])
  await there.git('update-ref', '-d', 'refs/heads/more')
  assert.deepEqual(await branches(), ['main'])
})
