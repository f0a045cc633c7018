import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { makeWorkTree, openWorkTree, testFolder } from '#test/test-git.ts'
import { openLocalHost } from './local.ts'
import { maintainRepository } from './maintain-repository.ts'

const repo = { organizationId: 7, path: '7/12.git' }

/** An empty repository, with what looks at it and writes to it. */
async function makeRepository() {
  const root = path.join(await testFolder(), 'repos')
  const host = openLocalHost({ folder: root })
  await host.createRepository(repo, { defaultBranch: 'main' })
  const folder = path.join(root, repo.path)
  const { git } = openWorkTree(folder)
  const names = async (...below: string[]) => readdir(path.join(folder, ...below))
  let commits = 0
  return {
    host,
    folder,
    git,
    packs: async () => (await names('objects', 'pack')).filter((name) => name.endsWith('.pack')),
    names,
    /** As many packs as that many pushes leave behind, each of which changes two of a hundred files. */
    fill: async (pushes: number) => {
      await importPacks(folder, { from: commits, count: pushes })
      commits += pushes
    },
    /** Packs and refs are put together, where they are many. */
    maintain: () => maintainRepository(folder),
    /** An own file that is so old. */
    leave: async (name: string, ageMs: number, text = '') => {
      const at = new Date(Date.now() - ageMs)
      await writeFile(path.join(folder, name), text)
      await utimes(path.join(folder, name), at, at)
    },
  }
}

async function importPacks(folder: string, { from, count }: { from: number; count: number }): Promise<void> {
  const words = ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--done']
  const child = spawn('git', words, { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] })
  const lines: string[] = []
  for (let n = from; n < from + count; n++) {
    lines.push('commit refs/heads/main', `committer Ada <ada@example.com> ${1_700_000_000 + n} +0000`, 'data 0')
    if (n > 0) lines.push('from refs/heads/main^0')
    for (const file of n === 0 ? Array.from({ length: 100 }, (_, index) => index) : [n % 100, (n * 7) % 100]) {
      const text = Array.from({ length: 50 }, (_, line) => `line ${line} of ${file}, ${line % 5 ? 0 : n}`).join('\n')
      lines.push(`M 100644 inline src/${file % 10}/${file}.txt`, `data ${text.length}`, text)
    }
    lines.push('checkpoint', '')
  }
  child.stdin.end([...lines, 'done', ''].join('\n'))
  const [exitCode] = await once(child, 'close')
  assert.equal(exitCode, 0)
}

test('of three hundred pushes a few packs are left, which one index names, and nothing is lost', async () => {
  const { fill, packs, names, git, maintain } = await makeRepository()
  for (let n = 0; n < 6; n++) {
    await fill(50)
    assert.ok((await packs()).length > gitLimits.packsMax)
    const objects = await objectsOf(git)
    assert.equal(await maintain(), 'maintained')
    assert.ok((await packs()).length < 10, `${(await packs()).length} packs`)
    assert.equal(await objectsOf(git), objects)
  }
  const files = await names('objects', 'pack')
  assert.ok(files.includes('multi-pack-index'))
  assert.equal(files.filter((name) => /^multi-pack-index-.*\.bitmap$/.test(name)).length, 1)
  assert.equal(await git('rev-list', '--count', 'main'), '300')
  assert.equal(await git('rev-list', '--count', '--use-bitmap-index', 'main'), '300')
  await git('fsck', '--full', '--strict')
  assert.equal(await maintain(), 'orderly')
})

/** All objects that there are, by their ids. */
const objectsOf = (git: (...words: string[]) => Promise<string>) =>
  git('cat-file', '--batch-all-objects', '--batch-check')

test('a repository with few packs stays as it is', async () => {
  const { fill, packs, maintain, names } = await makeRepository()
  await fill(gitLimits.packsMax)
  const before = await packs()
  assert.equal(await maintain(), 'orderly')
  assert.deepEqual(await packs(), before)
  assert.ok(!(await names('objects', 'pack')).includes('multi-pack-index'))
})

test('objects in files of their own, as merges make them, come into a pack', async () => {
  const { folder, git, packs, maintain } = await makeRepository()
  const tree = await makeWorkTree()
  for (let n = 0; n < 700; n++) await writeFile(path.join(tree.folder, `${n}.txt`), `file ${n}\n`)
  const commit = await tree.commit({})
  await tree.git('push', '--quiet', '--receive-pack=git -c receive.unpackLimit=10000 receive-pack', folder, 'main')
  assert.match(await git('count-objects', '-v'), /^count: 70\d$/m)
  const makeLoose = async (from: number) => {
    const files = Array.from({ length: 700 }, (_, n) => path.join(tree.folder, `${n}.txt`))
    for (const file of files) await writeFile(file, `file ${file} of ${from}\n`)
    await promisify(execFile)('git', ['hash-object', '-w', '--no-filters', ...files], { cwd: folder })
  }
  for (const from of [1, 2]) await makeLoose(from)
  assert.equal(await maintain(), 'maintained')
  assert.match(await git('count-objects', '-v'), /^count: 0$/m)
  assert.equal((await packs()).length, 1)
  assert.equal(await git('rev-parse', 'main'), commit)
})

test('many branches come into one file, and go on to be moved and deleted', async () => {
  const { fill, git, maintain, host, folder } = await makeRepository()
  await fill(2)
  const [commit, before] = (await git('rev-list', 'main')).split('\n') as [string, string]
  const names = Array.from({ length: gitLimits.looseRefsMax + 1 }, (_, n) => `team-${n % 7}/b${n}`)
  await writeFile(path.join(folder, 'wanted'), names.map((name) => `create refs/heads/${name} ${commit}\n`).join(''))
  await promisify(execFile)('sh', ['-c', 'git update-ref --stdin <wanted'], { cwd: folder })
  const branches = (await host.mirror(repo)).branches
  assert.equal(await maintain(), 'maintained')
  assert.deepEqual(
    (await readdir(path.join(folder, 'refs'), { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    ),
    [],
  )
  assert.deepEqual((await host.mirror(repo)).branches, branches)
  assert.equal(await host.deleteBranch(repo, { branch: names[0]!, expected: commit }), true)
  await git('update-ref', `refs/heads/${names[1]}`, before)
  const after = (await host.mirror(repo)).branches
  assert.deepEqual([after.get(names[0]!), after.get(names[1]!)], [undefined, before])
})

test('what killed programs have left is taken away once it is old, and what is at work or wanted stays', async () => {
  const { fill, leave, names, maintain, git, host } = await makeRepository()
  await fill(1)
  const commit = await git('rev-parse', 'main')
  const old = gitLimits.keepLeftMs + 60_000
  await leave('packed-refs.lock', gitLimits.lockLeftMs + 60_000)
  await leave('refs/heads/stuck.lock', gitLimits.lockLeftMs + 60_000)
  await leave('refs/heads/busy.lock', 1_000)
  await leave('objects/pack/multi-pack-index.lock', old)
  await leave('objects/pack/tmp_pack_a1b2c3', old, 'PACK')
  await leave('objects/pack/tmp_pack_atwork', 60_000, 'PACK')
  await leave('objects/pack/.tmp-77-pack-abc.pack', old, 'PACK')
  await leave('objects/bitmap-ref-tips_x1y2z3', old)
  const [pack] = (await names('objects', 'pack')).filter((name) => name.endsWith('.pack'))
  await leave(`objects/pack/${pack!.replace('.pack', '.keep')}`, old, 'receive-pack 7 on here\n')
  await leave('objects/pack/pack-0000000000000000000000000000000000000000.keep', old, 'ours\n')
  assert.equal(await maintain(), 'maintained')
  const left = [
    ...(await names()),
    ...(await names('objects')),
    ...(await names('objects', 'pack')),
    ...(await names('refs', 'heads')),
  ]
  assert.deepEqual(left.filter((name) => /lock$|tmp|tips|keep$/.test(name)).sort(), [
    'busy.lock',
    'pack-0000000000000000000000000000000000000000.keep',
    'tmp_pack_atwork',
  ])
  await git('update-ref', 'refs/heads/stuck', commit)
  assert.equal(await host.deleteBranch(repo, { branch: 'stuck', expected: commit }), true)
})

test('a repository in which another process is at work is left to it, and taken over once that was killed', async () => {
  const { fill, leave, maintain, packs, host, names } = await makeRepository()
  await fill(30)
  await leave('objects/maintenance.lock', 1_000, 'another')
  assert.equal(await maintain(), 'busy')
  assert.equal(await host.collect(repo, { keep: [], deadBytesMin: 0, keptMs: 0 }), null)
  assert.equal((await packs()).length, 30)
  await leave('objects/maintenance.lock', gitLimits.maintenanceHeldMs + 1_000, 'another')
  assert.equal(await maintain(), 'maintained')
  assert.equal((await packs()).length, 1)
  assert.ok(!(await names('objects')).includes('maintenance.lock'))
})

test('on a machine with another clock what is at work is as young, and what is left as old', async (t) => {
  for (const hours of [3, -3]) {
    const { fill, leave, maintain, names } = await makeRepository()
    await fill(30)
    await leave('refs/heads/busy.lock', 1_000)
    await leave('refs/heads/stuck.lock', gitLimits.lockLeftMs + 60_000)
    await leave('objects/maintenance.lock', 1_000)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * 3_600_000 })
    assert.equal(await maintain(), 'busy')
    t.mock.timers.reset()
    await leave('objects/maintenance.lock', gitLimits.maintenanceHeldMs + 60_000)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * 3_600_000 })
    assert.equal(await maintain(), 'maintained')
    t.mock.timers.reset()
    assert.deepEqual((await names('refs', 'heads')).toSorted(), ['busy.lock', 'main'])
  }
})

test('two at once do the work once', async () => {
  const { fill, maintain, packs, git } = await makeRepository()
  await fill(40)
  assert.deepEqual((await Promise.all([maintain(), maintain()])).sort(), ['busy', 'maintained'])
  assert.equal((await packs()).length, 1)
  await git('fsck', '--strict')
})

test('a repository that cannot be put in order is told of, keeps no other from it, and is left alone for a while', async () => {
  const { fill, leave, host, folder } = await makeRepository()
  const other = { organizationId: 7, path: '7/13.git' }
  await host.createRepository(other, { defaultBranch: 'main' })
  await fill(30)
  await importPacks(folder.replace('12.git', '13.git'), { from: 0, count: 30 })
  await leave('objects/pack/multi-pack-index.lock', 1_000)
  const faults: unknown[] = []
  const maintain = () => host.maintain({ onFault: (_error, { path }) => faults.push(path) })
  for (const none of ['acme/web', '7/99.git'])
    await assert.rejects(host.mirror({ organizationId: 7, path: none }), { code: 'not_found' })
  for (const used of [repo, other]) await host.mirror(used)
  assert.deepEqual(await maintain(), [other])
  await host.mirror(repo)
  assert.deepEqual(await maintain(), [])
  assert.deepEqual(faults, [repo.path])
})

test("whoever else reads the machine's repositories may read what was put together", async () => {
  const { fill, maintain, names, folder } = await makeRepository()
  const before = process.umask(0o077)
  try {
    await fill(30)
    await maintain()
  } finally {
    process.umask(before)
  }
  for (const name of await names('objects', 'pack')) await readFile(path.join(folder, 'objects', 'pack', name))
  const { stdout } = await promisify(execFile)('find', [
    path.join(folder, 'objects'),
    '-type',
    'f',
    '!',
    '-perm',
    '-444',
  ])
  assert.equal(stdout, '')
})
