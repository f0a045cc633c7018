import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { commitTo } from '#test/commit-to.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'

const testing = await testApp()
const { app, ask } = testing

const read = (world: World, query: Record<string, string | number>): Promise<Answer> => {
  const words = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return ask(`${world.path}/prs/${world.ids.pr_id}/file?${words}`, { token: world.token })
}
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`)
const textOf = (lines: string[]) => lines.map((line) => `${line}\n`).join('')

/** The pull request at a commit with these files. */
async function commit(world: World, files: Record<string, string>): Promise<string> {
  const head = commitTo(world.repository, { branch: world.word, files })
  await app.pool.query('update pulls set head_commit = $2 where organization_id = $1', [world.organizationId, head])
  return head
}

test('gives lines of a file as it was and as it is', async () => {
  const world = await makeWorld(testing)
  const head = await commit(world, { 'read.me': textOf(numbered(1, 60)) })
  const { body } = await read(world, { path: 'read.me', from: 11, to: 13 })
  const about = { path: 'read.me', side: 'head', commit: head, kind: 'text', total_lines: 60 }
  assert.deepEqual(body, { ...about, from: 11, lines: numbered(11, 13) })
  assert.deepEqual((await read(world, { path: 'read.me' })).body.lines, numbered(1, 60))
  assert.deepEqual((await read(world, { path: 'read.me', from: 59, to: 99 })).body.lines, numbered(59, 60))
  assert.deepEqual((await read(world, { path: 'read.me', from: 61 })).body.lines, [])
  const before = await read(world, { path: 'read.me', side: 'base' })
  assert.partialDeepStrictEqual(before.body, { side: 'base', lines: [world.word], total_lines: 1 })
  assert.equal((await read(world, { path: world.word, side: 'base' })).status, 404)
})

test('goes on to show the commit that the pull request is at, wherever its branch is by then', async () => {
  const world = await makeWorld(testing)
  await commit(world, { 'a.txt': 'then\n' })
  commitTo(world.repository, { branch: world.word, files: { 'a.txt': 'now\n' } })
  assert.deepEqual((await read(world, { path: 'a.txt' })).body.lines, ['then'])
})

test('no path leads out of the commit', async () => {
  const world = await makeWorld(testing)
  await commit(world, { 'folder/a.txt': 'a\n' })
  const paths = [
    '../HEAD',
    'HEAD',
    './read.me',
    '/etc/passwd',
    'folder',
    'folder/../read.me',
    ':/read.me',
    '-p',
    'x\ny',
  ]
  for (const path of paths) {
    const { status, body } = await read(world, { path })
    assert.deepEqual([status, body.code], [404, 'file_not_found'], path)
  }
  for (const path of ['', '\0', 'read.me\0']) assert.equal((await read(world, { path })).status, 400)
  const git = (words: string[], input = '') =>
    execFileSync('git', [`--git-dir=${world.repository}`, ...words], { input, encoding: 'utf8' }).trim()
  const link = git(['hash-object', '-w', '--stdin'], '/etc/passwd')
  const tree = git(['mktree'], `120000 blob ${link}\tlink\n`)
  const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const head = git([...as, 'commit-tree', tree, '-p', world.commit, '-m', 'Link'])
  await app.pool.query('update pulls set head_commit = $2 where organization_id = $1', [world.organizationId, head])
  assert.deepEqual((await read(world, { path: 'link' })).body.lines, ['/etc/passwd'])
})

test('says what has no lines, and what is too much', async () => {
  const world = await makeWorld(testing)
  const many = gitLimits.shownLinesMax + 10
  await commit(world, {
    binary: 'a\0b\n',
    empty: '',
    many: 'x\n'.repeat(many),
    large: 'x'.repeat(gitLimits.shownFileBytesMax + 1),
  })
  assert.partialDeepStrictEqual((await read(world, { path: 'binary' })).body, {
    kind: 'binary',
    lines: [],
    total_lines: null,
  })
  assert.partialDeepStrictEqual((await read(world, { path: 'empty' })).body, {
    kind: 'text',
    lines: [],
    total_lines: 0,
  })
  const { lines, total_lines: total } = (await read(world, { path: 'many', from: 2 })).body as {
    lines: string[]
    total_lines: number
  }
  assert.deepEqual([lines.length, total], [gitLimits.shownLinesMax, many])
  const large = await read(world, { path: 'large' })
  assert.equal(large.status, 422)
  assert.match(String(large.body.message), /large is larger than 2 MiB/)
})

test('secrets are redacted, also where they go over several lines', async () => {
  const world = await makeWorld(testing)
  const pin = '7vRk2mQx9Lw4Tz81'
  const key = `-- begin\n${'Qm9vYmFyIGFuZCBtb3Jl'.split('').reverse().join('')}\nw8Kd02lsPq7Zx1Vt\n-- end`
  const save = (name: string, value: string) =>
    ask(`${world.path}/secrets/${name}`, { method: 'PUT', token: world.token, body: { value } })
  assert.equal((await save('PIN', pin)).status < 300, true)
  assert.equal((await save('LONG', key)).status < 300, true)
  await commit(world, { one: `a\npin: ${pin}\nb\n`, long: `a\n${key}\nb\n` })
  assert.deepEqual((await read(world, { path: 'one' })).body.lines, ['a', 'pin: [redacted:PIN]', 'b'])
  for (const query of [{}, { from: 2, to: 2 }, { from: 3, to: 3 }, { from: 4, to: 4 }]) {
    const { text } = await read(world, { path: 'long', ...query })
    for (const line of key.split('\n').slice(1, 3)) assert.ok(!text.includes(line), text)
  }
  assert.partialDeepStrictEqual((await read(world, { path: 'long' })).body, { kind: 'redacted', lines: [] })
})
