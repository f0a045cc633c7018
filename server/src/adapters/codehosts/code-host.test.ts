// The contract of a git store, and of opening pull requests, held against every one of them. A new host adds its line to `hosts`.
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { one } from '#db/pool.ts'
import {
  openGitHubUnderTest,
  openLocalUnderTest,
  type HostedRepository,
  type HostUnderTest,
} from '#test/open-code-hosts.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, type WorkTree } from '#test/test-git.ts'
import { HostError } from './code-host.ts'
import type { PushRequest } from './git-store.ts'

const db = await testDb()

const MiB = 1024 * 1024

const hosts: Record<string, () => Promise<HostUnderTest>> = {
  local: () => openLocalUnderTest(db),
  github: () => openGitHubUnderTest(db),
}

for (const [name, open] of Object.entries(hosts)) {
  const under = await open()
  describe(`the ${name} host`, () => {
    /** A repository whose `main` holds one commit, and a work tree at it. */
    async function begin(): Promise<HostedRepository & { tree: WorkTree; first: string }> {
      const hosted = await under.makeRepository()
      const tree = await makeWorkTree()
      const first = await tree.commit({ 'README.md': 'hello\n' })
      const seed = { branch: 'main', expected: null, commit: first, pack: tree.pack(first), protectedBranches: [] }
      assert.partialDeepStrictEqual(await push(hosted, seed), { pushed: true })
      return { ...hosted, tree, first }
    }

    const push = ({ git, repo }: HostedRepository, request: Partial<PushRequest> & Pick<PushRequest, 'commit'>) =>
      git.push(repo, {
        branch: 'agent/1',
        expected: null,
        pack: Readable.from([]),
        stillAllowed: async () => true,
        ...request,
      })

    const branchesOf = async ({ git, repo }: HostedRepository) => Object.fromEntries((await git.mirror(repo)).branches)

    test('shows an empty repository as one without branches', async () => {
      const { git, repo } = await under.makeRepository()
      const mirror = await git.mirror(repo)
      assert.deepEqual([...mirror.branches], [])
      assert.ok(await readdir(mirror.objectsPath))
    })

    test('says that a repository is not there', async () => {
      const { git, repo } = await under.makeRepository()
      const gone = { organizationId: repo.organizationId, path: repo.path.replace(/[0-9]+\.git/, '999999.git') }
      const foreign = { organizationId: repo.organizationId + 1, path: repo.path }
      const outside = { organizationId: repo.organizationId, path: '../../etc' }
      for (const ref of [gone, foreign, outside]) {
        await assert.rejects(git.mirror(ref), (error) => error instanceof HostError && error.code === 'not_found')
      }
    })

    test("takes an agent's work over to a branch of its own, and the mirror holds it", async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commit = await tree.commit({ 'a/b.txt': 'work\n' })
      assert.partialDeepStrictEqual(await push(hosted, { commit, pack: tree.pack(commit, first) }), { pushed: true })
      assert.deepEqual(await branchesOf(hosted), { main: first, 'agent/1': commit })
      const { objectsPath } = await hosted.git.mirror(hosted.repo)
      const reader = await makeWorkTree()
      await reader.git('config', 'core.hooksPath', '/dev/null')
      const shared = path.join(reader.folder, '.git/objects/info/alternates')
      await writeFile(shared, `${objectsPath}\n`)
      assert.equal(await reader.git('show', `${commit}:a/b.txt`), 'work')
    })

    test('says of a pack whether it is sound and whole, and keeps nothing of it', async () => {
      const hosted = await begin()
      const { tree, first, git, repo } = hosted
      const second = await tree.commit({ 'a.txt': 'second\n'.repeat(1_000) })
      const third = await tree.commit({ 'a.txt': 'second\n'.repeat(1_000) + 'third\n' })
      const check = (commit: string, pack: Readable) => git.check(repo, { commit, pack })
      assert.deepEqual(await check(third, tree.pack(third, first)), { isWhole: true })
      const bad = [
        await check(third, tree.pack(third, second)),
        await check(third, tree.pack(second, first)),
        await check(third, Readable.from([Buffer.from('PACK and nothing of one')])),
      ]
      assert.deepEqual(
        bad.map(({ isWhole }) => isWhole),
        [false, false, false],
      )
      assert.deepEqual(await branchesOf(hosted), { main: first })
      assert.equal((await push(hosted, { commit: third })).pushed, false, 'nothing of it is there')
    })

    test('moves a branch on, and says stale where it is not what the pusher thought', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const second = await tree.commit({ a: '2' })
      const third = await tree.commit({ a: '3' })
      assert.partialDeepStrictEqual(await push(hosted, { commit: second, pack: tree.pack(second, first) }), {
        pushed: true,
      })
      const stale = await push(hosted, { commit: third, pack: tree.pack(third, second) })
      assert.equal(!stale.pushed && stale.reason, 'stale')
      const alsoStale = await push(hosted, { commit: third, expected: first, pack: tree.pack(third, second) })
      assert.equal(!alsoStale.pushed && alsoStale.reason, 'stale')
      assert.partialDeepStrictEqual(
        await push(hosted, { commit: third, expected: second, pack: tree.pack(third, second) }),
        {
          pushed: true,
        },
      )
      assert.equal((await branchesOf(hosted))['agent/1'], third)
    })

    test('answers pushed when the same push comes again, after its first answer was lost', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commit = await tree.commit({ a: '2' })
      for (const _ of [1, 2]) {
        assert.partialDeepStrictEqual(await push(hosted, { commit, pack: tree.pack(commit, first) }), { pushed: true })
      }
    })

    test('lets one of two pushes at once through', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commits: string[] = []
      for (const text of ['one', 'two']) {
        await tree.git('checkout', '--quiet', '--detach', first)
        commits.push(await tree.commit({ a: text }))
      }
      const results = await Promise.all(
        commits.map((commit) => push(hosted, { commit, pack: tree.pack(commit, first) })),
      )
      assert.deepEqual(results.map((result) => (result.pushed ? 'pushed' : result.reason)).sort(), ['pushed', 'stale'])
      const winner = commits[results.findIndex(({ pushed }) => pushed)]
      assert.equal((await branchesOf(hosted))['agent/1'], winner)
    })

    test('takes a commit that is there already with an empty pack, or none', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      assert.partialDeepStrictEqual(await push(hosted, { commit: first, pack: tree.pack(first, first) }), {
        pushed: true,
      })
      assert.partialDeepStrictEqual(await push(hosted, { branch: 'agent/2', commit: first }), { pushed: true })
    })

    test('refuses the default branch, and whatever else is protected', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commit = await tree.commit({ a: '2' })
      const pack = () => tree.pack(commit, first)
      const main = await push(hosted, { branch: 'main', expected: first, commit, pack: pack() })
      assert.equal(!main.pushed && main.reason, 'protected')
      const release = await push(hosted, {
        branch: 'release',
        commit,
        pack: pack(),
        protectedBranches: ['main', 'release'],
      })
      assert.equal(!release.pushed && release.reason, 'protected')
      assert.deepEqual(await branchesOf(hosted), { main: first })
    })

    test('leaves the branch where it is when the pusher has lost the run meanwhile', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commit = await tree.commit({ a: '2' })
      const lost = await push(hosted, { commit, pack: tree.pack(commit, first), stillAllowed: async () => false })
      assert.equal(!lost.pushed && lost.reason, 'lease_lost')
      assert.deepEqual(await branchesOf(hosted), { main: first })
    })

    test('refuses a pack that is too large', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const noise = Buffer.from(
        Array.from({ length: under.pushBytesMax + 65_536 }, () => Math.floor(Math.random() * 256)),
      )
      const commit = await tree.commit({ noise })
      const result = await push(hosted, { commit, pack: tree.pack(commit, first) })
      assert.equal(!result.pushed && result.reason, 'too_large')
      assert.deepEqual(await branchesOf(hosted), { main: first })
    })

    test('refuses what is no pack, or not all of one', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commit = await tree.commit({ a: 'some text\n'.repeat(100) })
      const whole = await Array.fromAsync(tree.pack(commit, first) as AsyncIterable<Buffer>).then((parts) =>
        Buffer.concat(parts),
      )
      const broken = Buffer.from(whole)
      broken[20] = (broken[20] as number) ^ 0xff
      const packs = { garbage: 'not a pack', cut: whole.subarray(0, whole.length - 30), broken }
      for (const [kind, bytes] of Object.entries(packs)) {
        const result = await push(hosted, { commit, pack: Readable.from([bytes]) })
        assert.equal(!result.pushed && result.reason, 'bad_pack', kind)
      }
      assert.deepEqual(await branchesOf(hosted), { main: first })
      assert.partialDeepStrictEqual(await push(hosted, { commit, pack: Readable.from([whole]) }), { pushed: true })
    })

    test('refuses a commit that is not there, that is no commit, or that lacks some of what it reaches', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const missing = await push(hosted, { commit: 'a'.repeat(40) })
      assert.match(missing.pushed ? '' : missing.message, /does not hold/)
      const tree2 = await tree.git('rev-parse', `${first}^{tree}`)
      const noCommit = await push(hosted, { commit: tree2 })
      assert.match(noCommit.pushed ? '' : noCommit.message, /not a commit/)
      const second = await tree.commit({ a: '2' })
      const third = await tree.commit({ b: '3' })
      // Its parent is left out, and the host does not hold it.
      const partial = await push(hosted, { commit: third, pack: tree.pack(third, second) })
      assert.equal(!partial.pushed && partial.reason, 'bad_pack')
      assert.deepEqual(await branchesOf(hosted), { main: first })
    })

    test('refuses a tree that would write into the .git of whoever checks it out', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const blob = await tree.git('hash-object', '-w', 'README.md')
      const write = async (line: string) => {
        const file = path.join(tree.folder, 'tree-lines')
        await writeFile(file, line)
        return tree.git('-c', `alias.mk=!git mktree < ${file}`, 'mk')
      }
      const inner = await write(`100644 blob ${blob}\tconfig\n`)
      const outer = await write(`040000 tree ${inner}\t.GIT\n`)
      const commit = await tree.git('commit-tree', outer, '-p', first, '-m', 'evil')
      const result = await push(hosted, { commit, pack: tree.pack(commit, first) })
      assert.match(result.pushed ? '' : result.message, /dotgit/i)
      assert.equal(!result.pushed && result.reason, 'bad_pack')
    })

    test('passes on what broke the stream that the pack came by, and takes nothing', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const commit = await tree.commit({ a: '2' })
      async function* breaking() {
        yield (await Array.fromAsync(tree.pack(commit, first) as AsyncIterable<Buffer>))[0]?.subarray(0, 20)
        throw new Error('the sandbox is gone')
      }
      await assert.rejects(push(hosted, { commit, pack: Readable.from(breaking()) }), /the sandbox is gone/)
      assert.deepEqual(await branchesOf(hosted), { main: first })
    })

    test('refuses names that are no branch', async () => {
      const hosted = await begin()
      for (const branch of ['../x', 'a..b', 'x.lock', '', '-d', 'a b', 'x\ny']) {
        await assert.rejects(push(hosted, { branch, commit: hosted.first }), HostError, JSON.stringify(branch))
      }
    })

    test('shows what a branch changed since it left the other, whatever happened there since', async () => {
      const hosted = await begin()
      const { git, repo, tree, first } = hosted
      const main = await tree.commit({ 'later.txt': 'on main\n' })
      await push(hosted, {
        branch: 'main',
        expected: first,
        commit: main,
        pack: tree.pack(main, first),
        protectedBranches: [],
      })
      await tree.git('checkout', '--quiet', '-b', 'work', first)
      const commit = await tree.commit({ 'README.md': 'hello\nwörld ✓\n' })
      await push(hosted, { commit, pack: tree.pack(commit, first) })
      for (const base of ['main', main]) {
        const diff = await git.diff(repo, { base, head: 'agent/1', bytesMax: MiB })
        assert.match(diff, /^diff --git a\/README.md b\/README.md\n/)
        assert.match(diff, /^\+wörld ✓$/m)
        assert.doesNotMatch(diff, /later/)
      }
      const all = await git.diff(repo, { base: null, head: commit, bytesMax: MiB })
      assert.match(all, /new file mode/)
      await assert.rejects(
        git.diff(repo, { base: 'gone', head: commit, bytesMax: MiB }),
        (error) => error instanceof HostError && error.code === 'not_found',
      )
    })

    test('cuts a long diff without breaking a character, and says so', async () => {
      const hosted = await begin()
      const { git, repo, tree, first } = hosted
      const commit = await tree.commit({ a: '✓'.repeat(2_000), b: 'ü✓\n'.repeat(2_000) })
      await push(hosted, { commit, pack: tree.pack(commit, first) })
      for (const bytesMax of [200, 201, 202, 203, 5_000, 9_999]) {
        const diff = await git.diff(repo, { base: 'main', head: commit, bytesMax })
        assert.ok(Buffer.byteLength(diff) <= bytesMax, `${Buffer.byteLength(diff)} of ${bytesMax}`)
        assert.match(diff, /\[cut: the diff is longer than [0-9]+ bytes\]\n$/)
        assert.doesNotMatch(diff, /\uFFFD/)
      }
      const whole = await git.diff(repo, { base: 'main', head: commit, bytesMax: MiB })
      assert.doesNotMatch(whole, /\[cut/)
      assert.equal(await git.diff(repo, { base: 'main', head: commit, bytesMax: Buffer.byteLength(whole) }), whole)
    })

    test('reads a file of a commit, and nothing that is no file', async () => {
      const hosted = await begin()
      const { git, repo, first } = hosted
      const read = (file: string, bytesMax = MiB) => git.readFile(repo, { path: file, commit: first, bytesMax })
      assert.equal(String(await read('README.md')), 'hello\n')
      for (const file of ['missing', '', '..', '/README.md']) assert.equal(await read(file), null)
      await assert.rejects(read('README.md', 3), (error) => error instanceof HostError && error.code === 'invalid')
    })

    test('opens a pull request, and finds it again instead of opening a second one', async () => {
      const hosted = await begin()
      const { forge, repo, repoId, tree, first } = hosted
      const commit = await tree.commit({ a: '2' })
      await push(hosted, { commit, pack: tree.pack(commit, first) })
      const input = {
        repoId,
        runId: 1,
        title: 'Fix it',
        body: 'Why',
        headBranch: 'agent/1',
        baseBranch: 'main',
        headCommit: commit,
      }
      const opened = await forge.openPull(repo, input)
      assert.equal(opened.created, true)
      const { title, body, headBranch, baseBranch, state, merged, number, url } = opened.pull
      assert.deepEqual(
        { title, body, headBranch, baseBranch, state, merged, number },
        {
          title: 'Fix it',
          body: 'Why',
          headBranch: 'agent/1',
          baseBranch: 'main',
          state: 'open',
          merged: false,
          number: 1,
        },
      )
      assert.match(url, /^https?:\/\//)
      const again = await forge.openPull(repo, { ...input, title: 'Another title' })
      assert.deepEqual(again, { pull: opened.pull, created: false })
    })

    test('opens no pull request for nothing, or onto a branch that is not there', async () => {
      const hosted = await begin()
      const { forge, repo, repoId, first } = hosted
      await push(hosted, { commit: first })
      const input = {
        repoId,
        runId: 1,
        title: 't',
        body: '',
        headBranch: 'agent/1',
        baseBranch: 'main',
        headCommit: first,
      }
      const refusal = (code: string) => (error: unknown) => error instanceof HostError && error.code === code
      await assert.rejects(forge.openPull(repo, input), refusal('no_diff'))
      await assert.rejects(forge.openPull(repo, { ...input, baseBranch: 'gone' }), refusal('not_found'))
      const { count } = await one<{ count: number }>(db, 'select count(*) from pulls where repo_id = $1', [repoId])
      assert.equal(count, 0)
    })

    test('shows all that a push brings to who wants to look at it, and moves nothing where that has a complaint', async () => {
      const hosted = await begin()
      const { tree, first } = hosted
      const large = 'x'.repeat(300_000)
      const second = await tree.commit({ 'deep/file name.txt': 'new\n', 'large.txt': large, 'empty.txt': '' })
      const seen = new Map<string, string>()
      const look = (complaint: string | null): Pick<PushRequest, 'commit' | 'pack' | 'inspect'> => ({
        commit: second,
        pack: tree.pack(second, first),
        inspect: ({ kind, path }) => {
          let content = ''
          return {
            write: (piece) => void (content += Buffer.from(piece).toString('latin1')),
            end: () => {
              seen.set(`${kind} ${path}`, content)
              return path === 'large.txt' ? complaint : null
            },
          }
        },
      })
      const refused = await push(hosted, look('it is too dull'))
      assert.deepEqual(refused, { pushed: false, reason: 'holds_secret', message: 'it is too dull' })
      assert.equal((await hosted.git.mirror(hosted.repo)).branches.has('agent/1'), false)
      seen.clear()
      assert.partialDeepStrictEqual(await push(hosted, look(null)), { pushed: true })
      assert.deepEqual([...seen.keys()].toSorted(), [
        'blob deep/file name.txt',
        'blob empty.txt',
        'blob large.txt',
        'commit ',
        'tree ',
        'tree deep',
      ])
      assert.equal(seen.get('blob deep/file name.txt'), 'new\n')
      assert.equal(seen.get('blob large.txt'), large)
      assert.equal(seen.get('blob empty.txt'), '')
    })
  })
}
