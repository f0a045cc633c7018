import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemText } from '#domain/repos/environment.ts'
import { readRunwrightYml } from './read-runwright-yml.ts'

const read = (text: string) => readRunwrightYml(Buffer.from(text))
const report = (text: string) => read(text).problems.map(problemText)

test('a repository says how it is prepared, checked, and what agents leave to people', () => {
  const { file, problems } = read(`
setup:
  - npm ci
  - |
    cd tools
    make
checks:
  - { name: test, command: npm test }
  - name: lint
    command: npm run lint
egress:
  allow: [Example.com, "*.example.org:8443"]
  presets: [npm]
push:
  needs_person: [".github/**", infra/]
  max_bytes: 1000000
  max_files: 0
`)
  assert.deepEqual(problems, [])
  assert.deepEqual(file, {
    setupCommands: ['npm ci', 'cd tools\nmake\n'],
    checks: [
      { name: 'test', command: 'npm test' },
      { name: 'lint', command: 'npm run lint' },
    ],
    egress: { allow: ['example.com', '*.example.org:8443'], presets: ['npm'] },
    push: { needsPerson: ['.github/**', 'infra/'], bytesMax: 1_000_000, filesMax: 0 },
  })
})

test('the short forms say the same', () => {
  assert.deepEqual(read('setup: make deps\nchecks: { test: make test }').file, {
    setupCommands: ['make deps'],
    checks: [{ name: 'test', command: 'make test' }],
  })
  for (const nothing of ['', '# only a word to people\n', '---\n'])
    assert.deepEqual(read(nothing), { file: {}, problems: [], hookProblems: [] }, nothing)
})

test('whoever makes a mistake hears of each, with its line, and nothing of the file counts', () => {
  const text = `setup: [npm ci, 7]
cheks: {}
egress:
  allow:
    - example.com
    - https://example.com/
  presets: [npmjs]
push:
  max_files: many
checks:
  - name: test
`
  assert.deepEqual(report(text), [
    '.runwright.yml, line 1: here stands a command, as a text',
    '.runwright.yml, line 2: "cheks" is not known here; there are setup, checks, egress, hooks, push',
    '.runwright.yml, line 6: "https://example.com/" is an address of the web: name the host alone, such as "example.com"',
    '.runwright.yml, line 7: there is no preset "npmjs"; there are npm, pypi, crates, go, debian, github',
    '.runwright.yml, line 9: here stands a whole number',
    '.runwright.yml, line 11: here stands a command, as a text',
  ])
  assert.deepEqual(read(text).file, {})
})

test('what is no YAML is told with the line where it ends to be some', () => {
  const faults: [text: string, line: number, about: RegExp][] = [
    ['setup: npm ci\nchecks: {a: b\n', 3, /flow map|must be indented|\}/i],
    ['setup: a\nsetup: b\n', 2, /unique/],
    ['a\n---\nb\n', 2, /a second document/],
    ['setup: a\n\tchecks: b\n', 2, /tab/i],
    ['- npm ci\n', 1, /here stand setup, checks, egress, hooks, push/],
    ['setup:\n', 1, /here stands a list of commands/],
    ['checks:\n  a: x\n  b: x\n  "a ": x\n  ? [a]\n  : x\n', 5, /name of a check/],
  ]
  for (const [text, line, about] of faults) {
    const [first] = read(text).problems
    assert.match(first?.message ?? '', about, text)
    assert.equal(first?.line, line, `${text}: ${first?.message}`)
  }
})

test('a file that is made to hurt is refused, quickly', () => {
  const laughs = `a: &a [x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${`*${'abcdefghi'[n]}, `.repeat(8)}]\n`).join('')}setup: *j`
  const evil = [
    laughs,
    'setup: &s [*s]',
    '['.repeat(60_000),
    '{a: '.repeat(15_000),
    '- '.repeat(30_000),
    'setup: "\\u0000"',
    'setup: "a\\0b"',
    'checks: { __proto__: { polluted: true }, constructor: x }',
    '__proto__: { setup: x }',
    'setup: !!js/function "x"',
    `setup: ["${'x'.repeat(20_000)}"]`,
    `push: { needs_person: [${'"x",'.repeat(5_000)}] }`,
    'push: { max_bytes: 1e400 }',
    'push: { max_files: -1 }',
    '\u0000\u0001',
  ]
  const begun = performance.now()
  for (const text of evil) {
    const { file, problems } = read(text)
    assert.ok(problems.length > 0 && problems.length <= 20, text.slice(0, 60))
    assert.deepEqual(file, {})
  }
  assert.equal(read(Buffer.from([0xff, 0xfe, 0x00]).toString('latin1')).file.setupCommands, undefined)
  assert.deepEqual(readRunwrightYml(new Uint8Array([0xff, 0xc0])).problems, [
    { line: 1, message: 'the file is no text in UTF-8' },
  ])
  // Generous: what it guards against takes minutes.
  assert.ok(performance.now() - begun < 20_000)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('commands of setup and checks can be those of a folder', () => {
  const text = `setup:
  - npm ci
  - {path: "it's web", command: make}
checks:
  all: make test
  api: {path: services/api, command: go test ./...}
`
  assert.deepEqual(read(text).file, {
    setupCommands: ['npm ci', "cd 'it'\\''s web' 2> /dev/null || exit 0\nmake"],
    checks: [
      { name: 'all', command: 'make test' },
      { name: 'api', command: 'go test ./...', path: 'services/api' },
    ],
  })
  assert.deepEqual(read('checks:\n  - {name: a, command: b, path: c}').file.checks, [
    { name: 'a', command: 'b', path: 'c' },
  ])
  for (const path of ['../up', '/etc', '"-x"', '"*"', '.git', '[a]', '3'])
    assert.equal(read(`checks:\n  a:\n    path: ${path}\n    command: b`).problems[0]?.line, 3, path)
  assert.equal(read('checks:\n  a:\n    path: b').problems.length, 1)
  assert.match(read('setup: [{dir: a, command: b}]').problems[0]?.message ?? '', /"dir" is not known here/)
})

test('a repository says what is run after an edit and before the end, and mistakes there leave the rest as it is', () => {
  const { file, problems, hookProblems } = read(`
hooks:
  after_edit:
    - make format
    - { paths: ["*.py", src/], command: ruff format "$1" }
  before_finish:
    - npm run lint
    - { path: api, command: go vet ./... }
`)
  assert.deepEqual([problems, hookProblems], [[], []])
  assert.deepEqual(file.hooks, {
    afterEdit: [
      { command: 'make format', paths: [] },
      { command: 'ruff format "$1"', paths: ['*.py', 'src/'] },
    ],
    beforeFinish: ['npm run lint', "cd 'api' 2> /dev/null || exit 0\ngo vet ./..."],
  })
  const many = Array.from({ length: 11 }, () => '    - x\n').join('')
  for (const [text, line] of [
    ['hooks: 1', 2],
    ['hooks:\n  after_edits: [x]', 3],
    ['hooks:\n  after_edit: x', 3],
    ['hooks:\n  after_edit:\n    - { paths: x, command: y }', 4],
    ['hooks:\n  before_finish:\n    - { path: ../x, command: y }', 4],
    ['hooks:\n  before_finish: [null, [1], "\\0"]', 3],
    [`hooks:\n  before_finish:\n${many}`, 4],
  ] as const) {
    const wrong = read(`setup: make\n${text}`)
    assert.deepEqual(wrong.problems, [], text)
    assert.deepEqual(wrong.file, { setupCommands: ['make'] }, text)
    assert.equal(wrong.hookProblems[0]?.line, line, text)
  }
})
