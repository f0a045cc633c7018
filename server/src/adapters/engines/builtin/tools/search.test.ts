import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, test } from 'node:test'
import { findRipgrep } from '#adapters/sandboxes/find-ripgrep.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import { testContext } from '#test/test-context.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'

const makeWorkspace = testWorkspaces()
const texts: Record<string, string> = {
  '.gitignore': 'node_modules/\n*.log\n/build\n',
  '.hidden/secret.ts': 'const hiddenNeedle = 1\n',
  'package.json': '{\n  "version": "4.0.4",\n  "name": "d"\n}\n',
  'src/a.js': 'const needle = 1\nfunction NeedLe(x) { return x }\nexport default needle\n',
  'src/deep/b.ts': 'let needle: number\nlet c = a || b\n',
  'src/deep/er/c.tsx': '<Needle value="1.5" />\n// TODO: (needle)\n',
  'src/deep/d.min.js': `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}\nneedle\n`,
  'src/app.log': 'ignored needle\n',
  'src/name:1:with colons.txt': 'needle: 7:\n',
  'src/-dash.txt': 'needle\n',
  'lib/mod.py': 'def needle(self):\n    return "été"\n\n\nclass Needle:\n    pass\n',
  'lib/crlf.txt': 'one needle\r\ntwo\r\nthree needle end\r\n',
  'lib/cr.txt': 'before\rneedle after\n',
  'node_modules/x/index.js': 'module.exports = "needle"\n',
  'node_modules/x/lib/y.ts': 'export type Needle = 1\n',
  'build/out.js': 'needle\n',
  '.runwright/.gitignore': '*\n',
  '.runwright/out/1.txt': 'passing needle\nfailing\n',
}
const bytes: Record<string, Buffer> = {
  'lib/latin1.txt': Buffer.from('caf\xe9 needle\nna\xefve\n', 'latin1'),
  'lib/utf16.txt': Buffer.from('\ufeffneedle in sixteen\nsecond\n', 'utf16le'),
  'lib/data.bin': Buffer.from('needle\n\0\x01\x02 needle\n', 'latin1'),
}
let sandbox: Sandbox

before(async () => {
  sandbox = await makeWorkspace(texts)
  const { workspace } = sandbox.paths
  for (const [name, content] of Object.entries(bytes)) await sandbox.writeFile(`${workspace}/${name}`, content)
  const shell = 'ln -s src link && ln -s ../nowhere broken && ln -s src/a.js linked.js && ln -s . loop'
  assert.equal((await sandbox.exec({ shell, timeoutMs: 10_000 }).result).exitCode, 0)
})

const search = async (input: JsonObject) =>
  (await runTool({ name: 'search', input }, testContext(sandbox, { callName: 't1-1.1' }))).result

/** Files and lines that the plain program prints for the same question. */
async function asked({ pattern, path = '.', glob, isNamed }: Question): Promise<string[]> {
  const options = [...(glob ? ['-g', glob] : []), ...(isNamed ? ['--no-ignore'] : [])]
  const words = [
    'rg',
    '-nH0',
    '-M1',
    '--hidden',
    '--auto-hybrid-regex',
    ...options,
    '-g!.git',
    '-e',
    pattern,
    '--',
    path,
  ]
  const { stdout, exitCode } = await sandbox.exec({ argv: words, timeoutMs: 20_000 }).result
  assert.ok(exitCode === 0 || exitCode === 1, `${words.join(' ')}: ${exitCode}`)
  const lines = stdout.toString().split('\n').filter(Boolean)
  return lines
    .map((line) =>
      line
        .replace(/^\.\//, '')
        .replace(/: binary file matches.*|:[^\0]*$/s, '')
        .replace('\0', ':'),
    )
    .sort()
}

type Question = { pattern: string; path?: string; glob?: string; isNamed?: boolean }

const patterns = [
  ['needle', '\\bneedle\\b', '(?i)needle', 'needle$', '^needle', 'version": "\\d', '(?:let|const) \\w+', '\\|\\|'],
  [
    'need(?=le)',
    '(?<!const )needle',
    'a|b',
    '[A-Z]\\w+',
    '\\s{2,}',
    '.',
    '\\(needle\\)',
    '"[^"]*"',
    'é',
    'na.ve',
    'caf',
  ],
  [
    '\\d+\\.\\d+',
    'x{40}',
    '-needle',
    '--',
    'TODO: ?\\(',
    '\\p{Lu}eedle',
    '(needle) \\w+',
    '(\\w)\\1',
    'nothing at all',
  ],
].flat()
const globs = [
  '*.ts',
  '*.{js,ts}',
  '*.{ts,tsx}',
  '!*.ts',
  'src/**/*.ts',
  '**/deep/**',
  '*.py',
  'lib/*',
  '[a-c].*',
  '*.log',
]
const places: Pick<Question, 'path' | 'isNamed'>[] = [
  { path: 'src' },
  { path: 'lib' },
  { path: 'link' },
  { path: 'src/a.js' },
  { path: 'src/app.log' },
  { path: 'src/-dash.txt' },
  { path: 'lib/latin1.txt' },
  { path: 'lib/utf16.txt' },
  { path: 'lib/crlf.txt' },
  { path: 'node_modules/x', isNamed: true },
  { path: 'node_modules', isNamed: true },
  { path: '.runwright', isNamed: true },
  { path: '.runwright/out/1.txt' },
  { path: 'build', isNamed: true },
]
const corpus: Question[] = [
  ...patterns.map((pattern) => ({ pattern })),
  ...patterns.flatMap((pattern, index) => globs.slice(index % 2, 4 + (index % 2)).map((glob) => ({ pattern, glob }))),
  ...globs.map((glob) => ({ pattern: 'needle', glob })),
  ...places.flatMap((place) => ['needle', '(?i)needle', 'e.*$', '\\w+'].map((pattern) => ({ ...place, pattern }))),
]

test('a corpus of 200 searches has the answers of ripgrep', async () => {
  assert.ok(corpus.length >= 200, String(corpus.length))
  let found = 0
  for (const question of corpus) {
    const { isNamed: _, ...input } = question
    const { text, output } = await search(input)
    const expected = await asked(question)
    const lines = text.split('\n').flatMap((line) => {
      const binary = /^(.+?): binary file matches/.exec(line)
      if (binary) return [`${binary[1]}`]
      const [, file, number] = /^(.+?(?:with colons\.txt)?):(\d+): /.exec(line) ?? []
      return file === undefined ? [] : [`${file}:${number}`]
    })
    assert.deepEqual(lines.sort(), expected, JSON.stringify(question))
    assert.equal(output['matches'], expected.length, JSON.stringify(question))
    found += expected.length
  }
  assert.ok(found > 500, String(found))
})

test('\\d is a digit, and groups, flags and lookaround are understood', async () => {
  assert.equal((await search({ pattern: 'version": "\\d' })).text, 'package.json:2:   "version": "4.0.4",')
  assert.equal((await search({ pattern: '(?i)(?:class) needle(?=:)' })).text, 'lib/mod.py:5: class Needle:')
})

test('finds what git ignores where the path names it, or a folder of it', async () => {
  const passing = '.runwright/out/1.txt:1: passing needle'
  for (const path of ['.runwright/out/1.txt', '.runwright/out', '.runwright'])
    assert.equal((await search({ pattern: 'passing', path })).text, passing)
  assert.match(
    (await search({ pattern: 'Needle', path: 'node_modules/x/lib' })).text,
    /^node_modules\/x\/lib\/y\.ts:1:/,
  )
  assert.equal((await search({ pattern: 'passing' })).text, 'no match')
})

test('a brace in a glob stands for each of its names, at any depth', async () => {
  const { text } = await search({ pattern: 'needle', glob: '*.{js,ts}', files_only: true })
  assert.equal(text, 'src/a.js\nsrc/deep/b.ts\nsrc/deep/d.min.js')
})

test('long lines, binary files and carriage returns are shown within bounds', async () => {
  const long = await search({ pattern: 'needle', path: 'src/deep/d.min.js' })
  assert.match(long.text, /^src\/deep\/d\.min\.js:1: x{300}…\nsrc\/deep\/d\.min\.js:2: needle$/)
  assert.match((await search({ pattern: 'needle', path: 'lib/data.bin' })).text, /^lib\/data\.bin: binary file matches/)
  assert.equal((await search({ pattern: 'needle', path: 'lib/cr.txt' })).text, 'lib/cr.txt:1: before␍needle after')
  assert.equal((await search({ pattern: 'one needle$\\n', path: 'lib' })).text, 'no match')
  assert.match((await search({ pattern: 'needle = 1\\nfunction' })).text, /^src\/a\.js:1: .*\nsrc\/a\.js:2: function/)
})

test('the program is the one that npm brought', () => {
  assert.match(execFileSync(findRipgrep()?.path ?? '', ['--version'], { encoding: 'utf8' }), /^ripgrep 15\.[^]*\+pcre2/)
})
