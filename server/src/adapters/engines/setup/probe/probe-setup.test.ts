import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probeLimits, type CommandKind, type Findings } from './findings.ts'
import { planSetup } from './plan-setup.ts'
import { probeSetup } from './probe-setup.ts'

const probe = (files: Record<string, string>): Promise<Findings> =>
  probeSetup({ paths: Object.keys(files), read: async (path) => files[path] ?? null })

/** `file:line kind command` of all that was found. */
const found = ({ groups }: Findings) =>
  groups.flatMap(({ commands }) =>
    commands.map(({ kind, command, why }) => `${why.path}${why.line ? `:${why.line}` : ''} ${kind} ${command}`),
  )
const commands = ({ groups }: Findings, kind: CommandKind) =>
  groups.flatMap((group) => group.commands.filter((one) => one.kind === kind).map(({ command }) => command))

const workflow = `name: CI
"on":
  push:
  pull_request:
defaults:
  run: {working-directory: .}
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - run: npm publish
  windows:
    runs-on: windows-latest
    steps: [{run: npm ci}]
  unit:
    runs-on: "ubuntu-latest"
    strategy: {matrix: {node: [20, 22, 24]}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: {node-version: "\${{ matrix.node }}"}
      - name: Install
        run: |
          # not a command
          sudo apt-get install -y jq
          npm ci \\
            --ignore-scripts
      - run: npm run build
      - {run: "npm test -- --coverage", working-directory: 'web'}
      - run: echo "\${{ secrets.TOKEN }}"
`

test('reads the steps of a CI that runs for changes, with the line of each', async () => {
  const findings = await probe({ '.github/workflows/ci.yml': workflow, 'package.json': '{}' })
  assert.deepEqual(found(findings), [
    '.github/workflows/ci.yml:26 install npm ci --ignore-scripts',
    '.github/workflows/ci.yml:28 build npm run build',
    '.github/workflows/ci.yml:29 test (cd web && npm test -- --coverage)',
    'package.json install npm install',
  ])
  assert.deepEqual(findings.tools, [
    { name: 'node', version: '24', why: { path: '.github/workflows/ci.yml', line: 21, says: 'actions/setup-node' } },
  ])
  assert.match(findings.notes.join('\n'), /ci\.yml:11: `npm publish` is left out: it publishes/)
  assert.match(findings.notes.join('\n'), /ci\.yml:25: `sudo apt-get .* it needs root/)
})

test('gives the commands of a CI what its environment says, but for what only the CI knows', async () => {
  const text = `on: push
env: {GOPROXY: 'http://x.test/go', SECRET: "\${{ secrets.X }}"}
jobs:
  a:
    env: {GOFLAGS: -mod=mod}
    steps:
      - {run: go test ./..., env: {GOPROXY: "it's"}}
`
  assert.deepEqual(found(await probe({ '.github/workflows/ci.yml': text })), [
    String.raw`.github/workflows/ci.yml:7 test export GOPROXY='it'\''s' GOFLAGS=-mod=mod; go test ./...`,
  ])
})

test('leaves a workflow alone that runs by hand or by the clock', async () => {
  const findings = await probe({
    '.github/workflows/nightly.yml': 'on: {schedule: []}\njobs: {a: {steps: [{run: npm ci}]}}',
  })
  assert.deepEqual(found(findings), [])
})

test('believes what a repository declares before its CI, and that before its lock files', async () => {
  const findings = await probe({
    '.runwright.yml': 'setup:\n  - ./prepare\n  - npm ci\nchecks:\n  - {name: unit, command: npm test}\n',
    '.github/workflows/copilot-setup-steps.yml':
      'jobs:\n  copilot-setup-steps:\n    steps:\n      - run: ./tools/get-ready\n',
    '.cursor/environment.json': '{\n  // first\n  "install": "npm i && ./more",\n}',
    '.devcontainer/devcontainer.json':
      '{ "image": "x", "postCreateCommand": {"a": "npm ci", "b": ["pip", "install", "x"]} }',
    'AGENTS.md': '# How\n\nRun `npm run lint`, then:\n\n```sh\n$ npm ci\n$ npm test   # all\nls\n```\n',
    Makefile: '.PHONY: test\nsetup:\n\tnpm ci\ntest: setup\n\tnpm test\n',
    Dockerfile: 'FROM node\nRUN --mount=type=cache,target=/x npm ci \\\n  --omit=dev\nRUN apt-get install -y jq\n',
    '.gitlab-ci.yml':
      'before_script:\n  - npm ci\n.hidden: {script: [npm i]}\nunit:\n  script:\n    - npm run test:unit\n',
    '.github/workflows/ci.yml': workflow,
    'package-lock.json': '{}',
    'package.json': '{"scripts": {"test": "node --test", "lint": "eslint"}}',
  })
  assert.deepEqual(
    findings.groups.map(({ origin, name }) => `${origin} ${name}`),
    [
      'declared .runwright.yml',
      'declared .github/workflows/copilot-setup-steps.yml: copilot-setup-steps',
      'declared .cursor/environment.json',
      'declared .devcontainer/devcontainer.json',
      'declared AGENTS.md',
      'declared Makefile',
      'declared Dockerfile',
      'ci .github/workflows/ci.yml: unit',
      'ci .gitlab-ci.yml: unit',
      'lockfile lock files',
    ],
  )
  assert.deepEqual(
    found(findings).filter((line) =>
      /^(?:\.runwright|\.github\/workflows\/cop|\.cursor|\.dev|AGENTS|Make|Docker|\.gitlab)/.test(line),
    ),
    [
      '.runwright.yml:2 install ./prepare',
      '.runwright.yml:3 install npm ci',
      '.runwright.yml:5 test npm test',
      '.github/workflows/copilot-setup-steps.yml:4 install ./tools/get-ready',
      '.cursor/environment.json:3 install npm i && ./more',
      '.devcontainer/devcontainer.json:1 install npm ci',
      '.devcontainer/devcontainer.json:1 install pip install x',
      'AGENTS.md:3 lint npm run lint',
      'AGENTS.md:6 install npm ci',
      'AGENTS.md:7 test npm test',
      'Makefile:2 install make setup',
      'Makefile:4 test make test',
      'Dockerfile:2 install npm ci --omit=dev',
      '.gitlab-ci.yml:2 install npm ci',
      '.gitlab-ci.yml:6 test npm run test:unit',
    ],
  )
})

/** A repository of each kind: what installs it, and what tests it. */
const stacks: Record<string, { files: Record<string, string>; install: string[]; test: string[]; lockfile: string }> = {
  npm: {
    files: { 'package-lock.json': '', 'package.json': '{"scripts":{"test":"x"}}' },
    install: ['npm ci'],
    test: ['npm test'],
    lockfile: 'package-lock.json',
  },
  pnpm: {
    files: { 'pnpm-lock.yaml': '', 'package.json': '{"scripts":{"test":"x"}}' },
    install: ['pnpm install --frozen-lockfile'],
    test: ['pnpm test'],
    lockfile: 'pnpm-lock.yaml',
  },
  'yarn 1': {
    files: { 'yarn.lock': '', 'package.json': '{"scripts":{"unit":"x"}}' },
    install: ['yarn install --frozen-lockfile'],
    test: ['yarn run unit'],
    lockfile: 'yarn.lock',
  },
  yarn: {
    files: { 'yarn.lock': '', '.yarnrc.yml': '', 'package.json': '{}' },
    install: ['yarn install --immutable'],
    test: [],
    lockfile: 'yarn.lock',
  },
  bun: {
    files: { 'bun.lock': '', 'package.json': '{}' },
    install: ['bun install --frozen-lockfile'],
    test: [],
    lockfile: 'bun.lock',
  },
  pip: {
    files: { 'requirements.txt': 'pytest\n', 'tests/test_a.py': '' },
    install: ['python3 -m venv .venv', "echo '*' > .venv/.gitignore", '.venv/bin/pip install -r requirements.txt'],
    test: ['.venv/bin/python -m pytest'],
    lockfile: 'requirements.txt',
  },
  'a project of pip': {
    files: {
      'pyproject.toml': '[project]\nname = "a"\n[project.optional-dependencies]\ntest = [\n  "x",\n]\n',
      'a_test.py': '',
    },
    install: ['python3 -m venv .venv', "echo '*' > .venv/.gitignore", ".venv/bin/pip install -e '.[test]'"],
    test: ['.venv/bin/python -m unittest discover'],
    lockfile: 'pyproject.toml',
  },
  uv: {
    files: { 'uv.lock': '', 'pyproject.toml': 'pytest', 'test_a.py': '' },
    install: ['uv sync --frozen'],
    test: ['uv run python -m pytest'],
    lockfile: 'uv.lock',
  },
  poetry: {
    files: { 'poetry.lock': '', 'pyproject.toml': 'pytest', 'test_a.py': '' },
    install: ['poetry install --no-interaction'],
    test: ['poetry run python -m pytest'],
    lockfile: 'poetry.lock',
  },
  go: {
    files: { 'go.mod': 'module a\ngo 1.22\n', 'go.sum': '', 'a_test.go': '' },
    install: ['go mod download'],
    test: ['go test ./...'],
    lockfile: 'go.sum',
  },
  cargo: {
    files: { 'Cargo.toml': '', 'Cargo.lock': '' },
    install: ['cargo fetch --locked'],
    test: ['cargo test --locked'],
    lockfile: 'Cargo.lock',
  },
  maven: {
    files: { 'pom.xml': '', 'src/test/java/A.java': '' },
    install: ['mvn -B -ntp -DskipTests test-compile'],
    test: ['mvn -B -ntp test'],
    lockfile: 'pom.xml',
  },
  gradle: {
    files: { 'build.gradle.kts': '', gradlew: '', 'src/test/A.kt': '' },
    install: ['./gradlew --no-daemon testClasses'],
    test: ['./gradlew --no-daemon test'],
    lockfile: 'build.gradle.kts',
  },
  composer: {
    files: { 'composer.json': '{"scripts":{"test":"x"}}', 'composer.lock': '' },
    install: ['composer install --no-interaction --no-progress'],
    test: ['composer test'],
    lockfile: 'composer.lock',
  },
  bundler: {
    files: { Gemfile: '', 'Gemfile.lock': '', 'spec/a_spec.rb': '' },
    install: ['bundle install'],
    test: ['bundle exec rspec'],
    lockfile: 'Gemfile.lock',
  },
}
for (const [name, { files, install, test: tests, lockfile }] of Object.entries(stacks)) {
  test(`knows a repository of ${name} by its files`, async () => {
    const findings = await probe(files)
    assert.deepEqual(commands(findings, 'install'), install)
    assert.deepEqual(commands(findings, 'test'), tests)
    assert.deepEqual(findings.lockfiles, [lockfile])
  })
}

test('proposes no test that says nothing: none written, none specified', async () => {
  const script = 'echo "Error: no test specified" && exit 1'
  for (const files of [
    { 'package.json': JSON.stringify({ scripts: { test: script } }) },
    { 'go.mod': '' },
    { 'pom.xml': '' },
  ])
    assert.deepEqual(commands(await probe(files), 'test'), [])
})

test('finds the roots of a repository of several, and none in what is vendored', async () => {
  const findings = await probe({
    'web/package.json': '{}',
    'web/package-lock.json': '',
    'web/packages/one/package.json': '{}',
    'my api/go.mod': '',
    'api/vendor/x/go.mod': '',
    'docs/package.json': '{}',
    'node_modules/a/package.json': '{}',
  })
  assert.deepEqual(commands(findings, 'install'), ["(cd 'my api' && go mod download)", '(cd web && npm ci)'])
  assert.deepEqual(findings.lockfiles, ['my api/go.mod', 'web/package-lock.json'])
})

test('reads which tools are asked for, and where', async () => {
  const { tools } = await probe({
    '.nvmrc': 'v22\n',
    '.tool-versions': 'golang 1.22.1\nnodejs 22.1.0\n',
    'mise.toml': '[tools]\npython = "3.12"\n',
    'go.mod': 'module a\n\ngo 1.22\n',
    'rust-toolchain.toml': '[toolchain]\nchannel = "1.80"\n',
    'package.json': '{\n  "engines": {"node": ">=20"},\n  "packageManager": "pnpm@10.1.0+sha512.abc"\n}',
  })
  assert.deepEqual(
    tools.map(({ name, version, why }) => `${name} ${version} ${why.path}:${why.line}`),
    [
      'node v22 .nvmrc:1',
      'go 1.22.1 .tool-versions:1',
      'node 22.1.0 .tool-versions:2',
      'python 3.12 mise.toml:2',
      'go 1.22 go.mod:3',
      'rust 1.80 rust-toolchain.toml:2',
      'node >=20 package.json:2',
      'pnpm 10.1.0 package.json:3',
    ],
  )
})

test('plans the likeliest first, then the same with a build, each once', async () => {
  const findings = await probe({
    '.github/workflows/ci.yml': workflow,
    'package.json': '{"scripts": {"test": "x"}}',
    'package-lock.json': '',
  })
  assert.deepEqual(planSetup({ findings, available: ['npm'] }), [
    {
      install: ['npm ci --ignore-scripts'],
      tests: ['(cd web && npm test -- --coverage)', 'npm test'],
      from: '.github/workflows/ci.yml: unit',
    },
    {
      install: ['npm ci --ignore-scripts', 'npm run build'],
      tests: ['(cd web && npm test -- --coverage)', 'npm test'],
      from: '.github/workflows/ci.yml: unit',
    },
    { install: ['npm ci'], tests: ['npm test', '(cd web && npm test -- --coverage)'], from: 'lock files' },
  ])
})

test('fetches a manager of packages that is missing, in the version that is asked for', async () => {
  const scripts = '"scripts": {"test": "x"}'
  const plan = async (files: Record<string, string>, available: string[] = []) =>
    planSetup({ findings: await probe(files), available })[0]
  const pnpm = { 'package.json': `{${scripts}, "packageManager": "pnpm@10.1.0"}`, 'pnpm-lock.yaml': '' }
  assert.partialDeepStrictEqual(await plan(pnpm), {
    install: ['npx --yes pnpm@10.1.0 install --frozen-lockfile'],
    tests: ['npx --yes pnpm@10.1.0 test'],
  })
  assert.partialDeepStrictEqual(await plan(pnpm, ['pnpm']), { install: ['pnpm install --frozen-lockfile'] })
  const yarn = { 'package.json': `{${scripts}, "packageManager": "yarn@4.1.0"}`, 'yarn.lock': '', '.yarnrc.yml': '' }
  assert.partialDeepStrictEqual(await plan(yarn), {
    install: ['npx --yes --package @yarnpkg/cli-dist@4.1.0 yarn install --immutable'],
  })
  assert.partialDeepStrictEqual(await plan({ 'uv.lock': '', 'pyproject.toml': '' }), {
    install: [
      'python3 -m venv ~/.local/share/uv',
      '~/.local/share/uv/bin/pip install --quiet uv',
      '~/.local/share/uv/bin/uv sync --frozen',
    ],
  })
})

/** Files that are made to be read for ever, to use up memory, or to be taken for something else. */
const full = (text: string) =>
  text.repeat(Math.ceil(probeLimits.fileBytesMax / text.length)).slice(0, probeLimits.fileBytesMax)
const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [${n ? `*b${n - 1},*b${n - 1}` : '*a,*a'}]`).join('\n')}\non: push\njobs: *b29\n`
const hostile: Record<string, string> = {
  'deep brackets': full('['),
  'deep blocks': full('- '),
  'deep maps': full('{a: '),
  'ends without a beginning': full('}'),
  'nothing but marks': full('* '),
  'what is longer than anybody reads': full('/*').repeat(4),
  'many keys': Array.from({ length: 25_000 }, (_, n) => `k${n}: 1`).join('\n'),
  'an alias bomb': bomb,
  'many aliases': `a: &a 1\nb: [${'*a,'.repeat(60_000)}]`,
  'an anchor in itself': 'on: push\njobs: &j {a: *j}',
  quotes: full('"\\"'),
  stars: full('/*'),
  'one line': full('x'),
  'empty lines': full('\n'),
  blanks: full(' '),
  backslashes: full('RUN a \\\n'),
  binary: full('\u0000\u0001'),
  nothing: '',
  'another type': 'on: [[push]]\njobs: [1, {steps: {run: [npm ci]}}]\nsteps: !!js/function x',
}
for (const [name, text] of Object.entries(hostile)) {
  test(`a file of ${name} is read in no time, wherever it stands`, async () => {
    const places = [
      '.github/workflows/ci.yml',
      '.github/workflows/copilot-setup-steps.yml',
      '.gitlab-ci.yml',
      '.runwright.yml',
      '.cursor/environment.json',
      '.devcontainer.json',
      'AGENTS.md',
      'Makefile',
      'Dockerfile',
      'package.json',
      'pyproject.toml',
      'requirements.txt',
      'go.mod',
      '.nvmrc',
      'mise.toml',
    ]
    const files = Object.fromEntries(places.map((path) => [path, text]))
    // By the processor's clock: whatever else this machine does.
    const began = process.cpuUsage()
    const findings = await probe(files)
    const { user } = process.cpuUsage(began)
    assert.ok(findings.groups.length <= probeLimits.groupsMax)
    assert.ok(user < 10_000_000, `${user / 1_000} ms`)
  })
}

test('reads so many files and no more, of a repository of very many', async () => {
  const manifests = Array.from({ length: 60_000 }, (_, n) => `p${n}/package.json`)
  const workflows = Array.from({ length: 1_000 }, (_, n) => `.github/workflows/w${n}.yml`)
  let reads = 0
  const findings = await probeSetup({ paths: [...workflows, ...manifests], read: async () => (reads++, workflow) })
  assert.ok(reads <= probeLimits.filesMax, String(reads))
  assert.equal(findings.groups.length, probeLimits.workflowsMax + 1)
  assert.equal(findings.groups.at(-1)?.origin, 'lockfile')
  assert.equal(findings.notes.length, probeLimits.notesMax)
})
