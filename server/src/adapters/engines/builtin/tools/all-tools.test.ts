import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import { plain } from '#test/play-agent.ts'
import { until } from '#test/test-sandboxes.ts'
import { testContext } from '#test/test-context.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'
import { hashOf } from './text-file.ts'
import type { ToolContext, ToolResult } from './tool.ts'

const makeWorkspace = testWorkspaces()
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let sandbox: Sandbox

before(async () => {
  sandbox = await makeWorkspace({
    '.gitignore': 'ignored/\n',
    'ignored/x.js': 'needle\n',
    'src/a.js': 'const needle = 1\n\nexport default needle\n',
    'src/deep/b.ts': 'let needle\n',
    'long.txt': lines(1, 4_000),
    'dense.txt': `${'d'.repeat(500)}\n`.repeat(200),
    'wide.txt': `${'w'.repeat(5_000)}\n`,
    'many.txt': 'needle in a stack\n'.repeat(130),
  })
  const { workspace } = sandbox.paths
  await sandbox.writeFile(`${workspace}/pixel.png`, pixel)
  await sandbox.writeFile(`${workspace}/data.bin`, Buffer.from([1, 0, 2]))
})

let calls = 0
async function call(name: string, input: JsonObject, more: Partial<ToolContext> = {}): Promise<ToolResult> {
  const context = testContext(sandbox, { callName: `t1-1.${++calls}`, ...more })
  return (await runTool({ name, input }, context)).result
}
const fileText = async (path: string) => (await sandbox.readFile(`${sandbox.paths.workspace}/${path}`)).toString()
const put = (path: string, text: string) => sandbox.writeFile(`${sandbox.paths.workspace}/${path}`, Buffer.from(text))

describe('shell', () => {
  test('shows what a person would have seen, and how it ended', async () => {
    const { text, output } = await call('shell', { command: 'echo out; echo oops >&2; pwd; exit 3', cwd: 'src' })
    assert.match(text, /^out\noops\n.*\/src\n\[exit 3, [\d.]+ s, step t1-1\.1\]$/)
    assert.partialDeepStrictEqual(output, { exit_code: 3, timed_out: false, cut_bytes: 0 })
  })

  test('takes out colours, folds progress lines and shows control characters', async () => {
    const { output } = await call('shell', { command: String.raw`printf '\033[31mred\033[0m\n10%%\r100%%\nnul\0\n'` })
    assert.equal(output['output'], 'red\n100%\nnul\\x00\n')
  })

  test('keeps the ends of a long output, and the whole in a file that git does not see', async () => {
    const { text, output } = await call('shell', { command: 'seq 1 10000' })
    assert.ok(text.length < 16_500)
    assert.match(text, /^1\n2\n/)
    assert.match(text, /\n10000\n\[exit 0/)
    assert.match(text, /\[… [\d,]+ lines, [\d,]+ characters left out; whole: \.runwright\/out\/t1-1\.\d+\.txt …\]/)
    assert.equal((await fileText(plain(output['artifact']))).length, 48_894)
    assert.doesNotMatch((await call('shell', { command: 'git status --short' })).text, /runwright/)
  })

  test('kills what runs over its time limit', async () => {
    const { text, output } = await call('shell', { command: 'echo begun; sleep 60', timeout_seconds: 1 })
    assert.equal(text, 'begun\n[killed: 1 s time limit; output so far above, step t1-1.5]')
    assert.equal(output['timed_out'], true)
  })

  test('says which names the network refused meanwhile, and who can allow them', async () => {
    const refusals = [{ name: 'registry.npmjs.org', count: 3 }]
    const { text, output } = await call('shell', { command: 'true' }, { listRefusals: async () => refusals })
    assert.match(
      text,
      /\]\n\[The network refused registry\.npmjs\.org \(3 times\)\. An ADMIN can allow names under Network/,
    )
    assert.deepEqual(output['refused_names'], ['registry.npmjs.org'])
  })

  test('runs in any folder of the sandbox', async () => {
    assert.match((await call('shell', { command: 'pwd', cwd: '/usr/lib' })).text, /^\/usr\/lib\n/)
    assert.match((await call('shell', { command: 'pwd', cwd: '~' })).text, /^\/home\/agent\n/)
  })
})

describe('read', () => {
  test('shows a file with line numbers', async () => {
    const { text, output } = await call('read', { path: 'src/a.js' })
    assert.equal(text, '    1\tconst needle = 1\n    2\t\n    3\texport default needle')
    assert.deepEqual(output, { path: 'src/a.js', start: 1, end: 3, total: 3 })
  })

  test('shows a long file in parts', async () => {
    const first = await call('read', { path: 'long.txt' })
    assert.match(first.text, /\n 2000\tline 2000\n\[lines 1–2000 of 4,000; go on with start_line 2001\]$/)
    const part = await call('read', { path: 'long.txt', start_line: 3_998, end_line: 5_000 })
    assert.equal(part.text, ' 3998\tline 3998\n 3999\tline 3999\n 4000\tline 4000\n[lines 3998–4000 of 4,000]')
    const dense = (await call('read', { path: 'dense.txt' })).text
    assert.match(dense, /\[lines 1–94 of 200; go on with start_line 95\]$/)
    assert.ok(dense.length < 48_100)
    assert.match(
      (await call('read', { path: 'long.txt', start_line: 4_001 })).text,
      /^Error: start_line is 4001, but .* 4000 lines/,
    )
  })

  test('cuts a wide line', async () => {
    assert.match((await call('read', { path: 'wide.txt' })).text, /w\[… 4000 characters more\]$/)
  })

  test('shows an image to a model that can see', async () => {
    assert.deepEqual((await call('read', { path: 'pixel.png' })).image, {
      mediaType: 'image/png',
      base64: pixel.toString('base64'),
    })
    const blind = await call('read', { path: 'pixel.png' }, { canSeeImages: false })
    assert.equal(blind.image, undefined)
    assert.match(blind.text, /image\/png, 70 bytes; images cannot be shown/)
  })

  test('says what is no text', async () => {
    assert.match((await call('read', { path: 'data.bin' })).text, /binary file of 3 bytes/)
    assert.match((await call('read', { path: 'src' })).text, /^src\/\ndeep\/\n {2}b\.ts 11\na\.js 40$/)
    assert.match((await call('read', { path: 'none.txt' })).text, /^Error: There is no file none\.txt\./)
  })

  test('shows what a command could read, and nothing of what the kernel says of others', async () => {
    assert.match((await call('read', { path: '/etc/passwd' })).text, /^ {4}1\troot:/)
    await call('shell', { command: 'mkdir -p ~/.npm/_logs && echo "npm error" > ~/.npm/_logs/1.log' })
    const { text, output } = await call('read', { path: '~/.npm/_logs/1.log' })
    assert.deepEqual([text, output['path']], ['    1\tnpm error', '/home/agent/.npm/_logs/1.log'])
    assert.match(
      (await call('read', { path: '/proc/self/environ' })).text,
      /^Error: \/proc\/self\/environ holds no files/,
    )
    assert.match(
      (await call('write', { path: '/usr/x', content: 'x' })).text,
      /^Error: \/usr\/x could not be used \(EROFS\)/,
    )
  })
})

describe('write', () => {
  test('makes a file with its folders, and replaces one', async () => {
    const made = await call('write', { path: 'new/folder/a.txt', content: 'one\ntwo\n' })
    assert.equal(made.text, 'created new/folder/a.txt (2 lines)')
    assert.match(
      plain(made.output['diff']),
      /^--- \/dev\/null\n\+\+\+ b\/new\/folder\/a\.txt\n@@ -0,0 \+1,2 @@\n\+one\n\+two\n$/,
    )
    const again = await call('write', { path: 'new/folder/a.txt', content: 'one\n2\n3\n' })
    assert.equal(again.text, 'replaced new/folder/a.txt (was 2 lines, now 3)')
    assert.equal(await fileText('new/folder/a.txt'), 'one\n2\n3\n')
  })

  test('keeps the line ends and the mode of a file', async () => {
    await put('run.sh', 'a\r\nb\r\n')
    await call('shell', { command: 'chmod 755 run.sh' })
    await call('write', { path: 'run.sh', content: 'c\nd\n' })
    assert.equal(await fileText('run.sh'), 'c\r\nd\r\n')
    assert.match((await call('shell', { command: 'stat -c %a run.sh' })).text, /^755/)
  })

  test('takes no more than a megabyte, and no folder', async () => {
    const { text } = await call('write', { path: 'big.txt', content: 'x'.repeat(1024 * 1024 + 1) })
    assert.match(text, /^Error: The content has 1048577 bytes, at most 1048576/)
    assert.match((await call('write', { path: 'src', content: 'x' })).text, /^Error: src is a folder/)
  })
})

describe('edit', () => {
  test('replaces a text that occurs once, and shows the lines around it', async () => {
    await put('edit.txt', lines(1, 9))
    const { text, output } = await call('edit', { path: 'edit.txt', old_text: 'line 5', new_text: 'LINE FIVE' })
    assert.match(text, /^edited edit\.txt\n {4}2\tline 2\n[^]*\n {4}5\tLINE FIVE\n[^]*\n {4}8\tline 8$/)
    assert.match(plain(output['diff']), /-line 5\n\+LINE FIVE\n/)
  })

  test('replaces all of several when asked to', async () => {
    await put('all.txt', 'a b a\na\n')
    const { text, output } = await call('edit', { path: 'all.txt', old_text: 'a', new_text: 'c', replace_all: true })
    assert.match(text, /^edited all\.txt, 3 places/)
    assert.equal(output['count'], 3)
    assert.equal(await fileText('all.txt'), 'c b c\nc\n')
  })

  test('says what to do when it cannot', async () => {
    const edit = async (input: JsonObject) => (await call('edit', { path: 'all.txt', ...input })).text
    await put('all.txt', 'a\nb\na\n')
    assert.match(
      await edit({ old_text: 'a', new_text: 'x' }),
      /^Error: old_text occurs 2 times in all\.txt, at lines 1, 3/,
    )
    assert.match(await edit({ old_text: '', new_text: 'x' }), /^Error: old_text is empty.*use write/)
    assert.match(await edit({ old_text: 'x', new_text: 'x' }), /^Error: .*the same/)
    assert.match(await edit({ path: 'none', old_text: 'x', new_text: 'y' }), /^Error: There is no file none/)
    assert.match(await edit({ path: 'data.bin', old_text: 'x', new_text: 'y' }), /^Error: data\.bin is a binary file/)
  })

  test('says where the file cannot be read any more, and changes it all the same', async () => {
    await put('broken.py', 'def f(a):\n    return g(a)\n')
    const { text, output, isError } = await call('edit', { path: 'broken.py', old_text: 'g(a)', new_text: 'g(a' })
    assert.match(text, /\nSyntax error at line 2, column \d+(, up to line \d)?: return g\(a\. Before this change/)
    assert.partialDeepStrictEqual(output, { path: 'broken.py', syntax_error: { line: 2 } })
    assert.ok(!isError)
    assert.equal(await fileText('broken.py'), 'def f(a):\n    return g(a\n')
    const next = await call('edit', { path: 'broken.py', old_text: 'def', new_text: 'async def' })
    assert.doesNotMatch(next.text, /Syntax error/, 'it was broken before')
    // The parser of another language takes its time to load, and nobody waits long for what is a hint.
    let n = 0
    const isRead = async () =>
      / error /.test((await call('write', { path: `broken-${n++}.ts`, content: 'const a: = 1\n' })).text)
    await until(isRead, 'TypeScript is read')
    const written = await call('write', { path: 'new.ts', content: 'const a: = 1\n' })
    assert.match(written.text, /^created new.ts \(1 lines\)\nSyntax error at line 1, column 10: const a: = 1 \(.+\)\.$/)
  })
  test('says so when the file has changed since it was read', async () => {
    await put('changed.txt', 'new\n')
    const seen = new Map([[`${sandbox.paths.workspace}/changed.txt`, hashOf(Buffer.from('old\n'))]])
    const { text } = await call('edit', { path: 'changed.txt', old_text: 'something else', new_text: 'x' }, { seen })
    assert.match(text, /The file has changed since you read it\.$/)
  })
})

describe('search', () => {
  test('finds lines by regular expression, without what git ignores', async () => {
    const { text, output } = await call('search', { pattern: 'needle\\b', path: 'src' })
    assert.equal(text, 'src/a.js:1: const needle = 1\nsrc/a.js:3: export default needle\nsrc/deep/b.ts:1: let needle')
    assert.deepEqual(output, { matches: 3, files: 2 })
    assert.doesNotMatch((await call('search', { pattern: 'needle', files_only: true })).text, /ignored/)
  })

  test('narrows to files by their names, shows lines around, or names alone', async () => {
    for (const glob of ['*.ts', 'src/**/*.ts', '**/deep/*.ts', '*.{ts,tsx}']) {
      assert.equal((await call('search', { pattern: 'needle', glob })).text, 'src/deep/b.ts:1: let needle')
    }
    const anchored = await call('search', { pattern: 'needle', glob: 'deep/*.ts' })
    assert.equal(anchored.text, 'no match; the glob begins at the workspace, **/deep/*.ts fits anywhere')
    const around = await call('search', { pattern: 'export', path: 'src/a.js', context: 1 })
    assert.match(around.text, /src\/a\.js-2-\nsrc\/a\.js:3: export default needle/)
    assert.equal(
      (await call('search', { pattern: 'needle', path: 'src', files_only: true })).text,
      'src/a.js\nsrc/deep/b.ts',
    )
  })

  test('shows a hundred matches and counts the others', async () => {
    const { text } = await call('search', { pattern: 'needle', path: 'many.txt' })
    assert.match(text, /\n\[30 more matches in 1 files: narrow the pattern\]$/)
    assert.match((await call('search', { pattern: 'w+', path: 'wide.txt' })).text, /^wide\.txt:1: w{300}…$/)
  })

  test('says that nothing matches, and what is wrong with a pattern', async () => {
    assert.equal((await call('search', { pattern: 'haystack' })).text, 'no match')
    assert.match(
      (await call('search', { pattern: 'a', path: 'nowhere' })).text,
      /^Error: There is no file or folder nowhere/,
    )
    assert.equal(
      (await call('search', { pattern: '(' })).text,
      'Error: The pattern ( is no regular expression: unclosed group. Put a backslash before what is meant literally.',
    )
    assert.match(
      (await call('search', { pattern: 'x(?=' })).text,
      /is no regular expression: missing closing parenthesis\. [^\n]+$/,
    )
    assert.match(
      (await call('search', { pattern: 'a', glob: '*.{js,ts' })).text,
      /^Error: The glob cannot be used: .*unclosed alternate group[^\n]+$/,
    )
  })

  test('works where there is no repository', async () => {
    await call('shell', { command: 'mkdir -p /tmp/plain && echo "needle" > /tmp/plain/a.txt' })
    assert.equal((await call('search', { pattern: 'needle', path: '/tmp/plain' })).text, '/tmp/plain/a.txt:1: needle')
  })
})

describe('list', () => {
  test('draws a tree without what git ignores', async () => {
    const { text } = await call('list', { depth: 1 })
    assert.match(text, /^\.\/\n/)
    assert.match(text, /\nsrc\/ \(2 files\)\n/)
    assert.doesNotMatch(text, /ignored\/|\.git\//)
  })

  test('shows 200 entries and counts the others', async () => {
    await call('shell', { command: 'mkdir full && cd full && touch $(seq 250)' })
    assert.match((await call('list', { path: 'full' })).text, /\n\[50 more entries: list a folder further down\]$/)
    await call('shell', { command: 'rm -r full' })
  })

  test('says that a folder is not there', async () => {
    assert.match((await call('list', { path: 'nowhere' })).text, /^Error: There is no folder nowhere/)
  })
})

describe('finish', () => {
  test('is refused for an edit that nothing checked, and once for scratch files', async () => {
    await put('scratch_1.py', 'print()\n')
    const refused = await call('finish', { summary: 'Done.' }, { editState: 'unchecked' })
    assert.match(refused.text, /No command was run after the last edit/)
    assert.match(refused.text, /scratch files; delete them if they are: scratch_1\.py/)
    const again = { editState: 'unchecked', wasRefused: true } as const
    assert.match((await call('finish', { summary: 'Done.' }, again)).text, /say in `open` why none can be run/)
    const open = ['No Python is installed.']
    assert.equal((await call('finish', { summary: 'Done.', open }, again)).output['finished'], true)
    const untold = await call('finish', { summary: 'Done.' }, { wasRefused: true, hasUntoldLoss: true })
    assert.deepEqual([untold.output['finished'], untold.isError], [false, true])
    assert.match(untold.text, /files that you changed are lost/)
    await call('shell', { command: 'rm scratch_1.py' })
    assert.equal((await call('finish', { summary: 'Done.' })).output['finished'], true)
  })
})
