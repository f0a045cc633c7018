import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOwnersLimits } from './limits.ts'
import { findOwners } from './find-owners.ts'
import { readCodeOwners } from './read-code-owners.ts'

const read = (text: string) => readCodeOwners(Buffer.from(text))
const rulesOf = (text: string) => read(text).rules.map(({ pattern, owners }) => [pattern, ...owners])
/** Who owns a path, in the order of the line. */
const ownersOf = async (text: string, ...paths: string[]) => [
  ...(await findOwners(read(text).rules, paths)).owners.keys(),
]

test('a line is a pattern and its owners; comments, empty lines and line ends of Windows say nothing', () => {
  const text =
    '\ufeff# all\n\n*  @ada docs@example.com # and more\r\n\t/src/ @org/team-1\n/nobody/\n  #*.js @x\n/a#b @ada'
  assert.deepEqual(rulesOf(text), [
    ['*', '@ada', 'docs@example.com'],
    ['/src/', '@org/team-1'],
    ['/nobody/'],
    ['/a#b', '@ada'],
  ])
  assert.deepEqual(read(text).problems, [])
})

test('a space or “#” of a name stands after a backslash', async () => {
  assert.deepEqual(rulesOf('/my\\ docs/ @ada\n\\#notes @ada'), [
    ['/my docs/', '@ada'],
    ['#notes', '@ada'],
  ])
  assert.deepEqual(await ownersOf('/my\\ docs/ @ada', 'my docs/a'), ['@ada'])
})

test('a line that cannot be read is skipped, and named with the reason', () => {
  const { rules, problems } = read('* @ada\n!/src/ @ada\n/a\\*b @ada\n/b\\\n/c ada\n/d @a@b@c\n/e\0 @ada\n/f @ada')
  assert.deepEqual(
    rules.map(({ pattern }) => pattern),
    ['*', '/f'],
  )
  assert.deepEqual(problems, [
    'Line 2 is skipped: patterns that begin with “!” have no meaning here.',
    'Line 3 is skipped: a backslash can stand before a space or “#” only.',
    'Line 4 is skipped: a backslash can stand before a space or “#” only.',
    'Line 5 is skipped: owners are written as @name, @organization/team or an email address.',
    'Line 6 is skipped: owners are written as @name, @organization/team or an email address.',
    'Line 7 is skipped: it has control characters.',
  ])
  assert.equal(read('/a b\n'.repeat(50)).problems.length, codeOwnersLimits.problemsMax)
})

test('the last pattern that covers a path counts, and one without owners takes them away', async () => {
  const text = '* @all\n*.js @js\n/apps/ @apps\n/apps/free/\n'
  assert.deepEqual(await ownersOf(text, 'read.me'), ['@all'])
  assert.deepEqual(await ownersOf(text, 'lib/a.js'), ['@js'])
  assert.deepEqual(await ownersOf(text, 'apps/a.js'), ['@apps'])
  assert.deepEqual(await ownersOf(text, 'apps/free/a.js'), [])
  assert.deepEqual(await ownersOf(text, 'read.me', 'apps/a', 'lib/a.js', 'apps/b'), ['@all', '@apps', '@js'])
})

test('patterns cover what those of GitHub cover', async () => {
  const covered: [pattern: string, path: string][] = [
    ['*', 'deep/down/a'],
    ['**', 'deep/a'],
    ['*.js', 'deep/a.js'],
    ['/build/logs/', 'build/logs/2026/a'],
    ['docs/*', 'docs/a.md'],
    ['apps/', 'deep/apps/a/b'],
    ['/docs/', 'docs/a/b'],
    ['/docs', 'docs/a/b'],
    ['/docs', 'docs'],
    ['docs/**', 'docs/a/b'],
    ['**/logs', 'deep/logs/a'],
    ['**/logs', 'logs/a'],
    ['/a/**/z', 'a/z'],
    ['/a/**/z', 'a/b/c/z'],
    ['/a/**/*', 'a/b/c'],
    ['/*', 'read.me'],
    ['/app/[id]/', 'app/[id]/page.ts'],
  ]
  for (const [pattern, path] of covered)
    assert.deepEqual(await ownersOf(`${pattern} @a`, path), ['@a'], `${pattern} ${path}`)
  const open: [pattern: string, path: string][] = [
    ['docs/*', 'docs/deep/a.md'],
    ['docs/*', 'other/docs/a.md'],
    ['/docs/', 'other/docs/a'],
    ['docs/', 'docs'],
    ['docs/**', 'docs'],
    ['/*', 'deep/read.me'],
    ['/a/**/*', 'a'],
    ['/', 'a'],
    ['//', 'a'],
    ['*.js', 'a.jsx'],
    ['/Docs/', 'docs/a'],
    ['/app/[id]/', 'app/i/page.ts'],
  ]
  for (const [pattern, path] of open) assert.deepEqual(await ownersOf(`${pattern} @a`, path), [], `${pattern} ${path}`)
})

test('a file with too many rules counts for nothing, and says so', () => {
  const { rules, problems } = read('/a @ada\n'.repeat(codeOwnersLimits.rulesMax + 1))
  assert.deepEqual(rules, [])
  assert.deepEqual(problems, ['It has more than 3000 rules, so none counts.'])
})

test('a hostile file and 100,000 changed paths take a bounded time, in which others have their turn', async () => {
  const pattern = '*a'.repeat(codeOwnersLimits.patternCharactersMax / 2 - 1) + 'b'
  const line = `${pattern} @ada\n`
  const slow = read(line.repeat(codeOwnersLimits.fileBytesMax / line.length)).rules
  const flat = read('*/**/x?z @ada\n'.repeat(codeOwnersLimits.rulesMax)).rules
  const folders = `${'a'.repeat(200)}/${'a'.repeat(3_000)}`
  const paths = Array.from({ length: 100_000 }, (_, n) => `${folders}/${n}`)
  for (const rules of [slow, flat]) {
    let turns = 0
    const looking = setInterval(() => turns++)
    const begun = process.cpuUsage()
    const { owners, problems } = await findOwners(rules, paths)
    const { user, system } = process.cpuUsage(begun)
    clearInterval(looking)
    assert.equal(owners.size, 0)
    assert.match(problems.join(), /too long|Only the first 3000 of 100000/)
    assert.ok(user + system < 8_000_000, `${user + system} µs`)
    assert.ok(turns > 10, `${turns} turns`)
  }
})

test('many owners of one line are looked for up to a limit', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => `@a${n}`).join(' ')
  assert.equal((await ownersOf(`* ${many}`, 'a')).length, codeOwnersLimits.ownersMax)
})
