import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownFailures } from './known-failures.ts'
import { readFailure } from './read-failure.ts'

type Sample = { cause: string; command: string | null; exitCode: number | null; first: string; log: string }

/** As tools write them. */
const samples: Record<string, Sample> = {
  npm: {
    cause: 'tests_failed',
    command: 'jest --ci',
    exitCode: 1,
    first: 'FAIL src/cart.test.ts',
    log: `
> shop@1.2.0 test
> jest --ci

PASS src/fees.test.ts
FAIL src/cart.test.ts
  ● adds two items

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 2

      at Object.<anonymous> (src/cart.test.ts:12:17)

Tests:       1 failed, 4 passed, 5 total
npm error Lifecycle script \`test\` failed with error:
npm error code 1
npm error path /home/runner/work/shop/shop
npm error workspace shop@1.2.0
`,
  },
  pytest: {
    cause: 'tests_failed',
    command: 'pytest -q',
    exitCode: 1,
    first: "E       AssertionError: assert 'b' == 'a'",
    log: `##[group]Run pytest -q
2026-11-21T10:11:12.1234567Z .F                                                     [100%]
2026-11-21T10:11:12.2234567Z =================================== FAILURES ===================================
2026-11-21T10:11:12.2234567Z     def test_wrap():
2026-11-21T10:11:12.2234567Z >       assert wrap('a') == 'a'
2026-11-21T10:11:12.2234567Z E       AssertionError: assert 'b' == 'a'
2026-11-21T10:11:12.2234567Z tests/test_wrap.py:5: AssertionError
2026-11-21T10:11:12.3234567Z FAILED tests/test_wrap.py::test_wrap - AssertionError: assert 'b' == 'a'
2026-11-21T10:11:12.3234567Z 1 failed, 1 passed in 0.05s
2026-11-21T10:11:12.4234567Z ##[error]Process completed with exit code 1.
`,
  },
  go: {
    cause: 'tests_failed',
    command: 'go test ./...',
    exitCode: 1,
    first: '--- FAIL: TestSum (0.00s)',
    log: `+ go test ./...
ok  	example.com/app/api	0.012s
--- FAIL: TestSum (0.00s)
    sum_test.go:9: got 3, want 4
FAIL
FAIL	example.com/app/sum	0.004s
FAIL
exit status 1
`,
  },
  cargo: {
    cause: 'does_not_compile',
    command: 'cargo test --locked',
    exitCode: 101,
    first: 'error[E0425]: cannot find value `totl` in this scope',
    log: `$ cargo test --locked
   Compiling ledger v0.1.0 (/workspace)
error[E0425]: cannot find value \`totl\` in this scope
 --> src/lib.rs:7:5
  |
7 |     totl
  |     ^^^^ help: a local variable with a similar name exists: \`total\`

error: could not compile \`ledger\` (lib) due to 1 previous error
Caused by: process didn't exit successfully: \`rustc\` (exit status: 101)
`,
  },
  maven: {
    cause: 'does_not_compile',
    command: 'mvn -B verify',
    exitCode: 1,
    first: '[ERROR] COMPILATION ERROR :',
    log: `[command]mvn -B verify
[INFO] Scanning for projects...
[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR :
[INFO] -------------------------------------------------------------
[ERROR] /build/src/main/java/App.java:[12,9] cannot find symbol
[INFO] BUILD FAILURE
[INFO] Total time:  4.101 s
Error: Process completed with exit code 1.
`,
  },
  eslint: {
    cause: 'style',
    command: 'eslint .',
    exitCode: 1,
    first: "3:7  error  'x' is assigned a value but never used  no-unused-vars",
    log: `
> app@1.0.0 lint
> eslint .


/home/runner/work/app/app/src/a.js
  3:7  error  'x' is assigned a value but never used  no-unused-vars

✖ 1 problem (1 error, 0 warnings)

 ELIFECYCLE  Command failed with exit code 1.
`,
  },
  tsc: {
    cause: 'types',
    command: 'tsc -p .',
    exitCode: 2,
    first: "src/cart.ts(14,3): error TS2322: Type 'string' is not assignable to type 'number'.",
    log: `
> app@1.0.0 build
> tsc -p .

\u001b[96msrc/cart.ts\u001b[0m(14,3): \u001b[91merror\u001b[0m TS2322: Type 'string' is not assignable to type 'number'.
error Command failed with exit code 2.
`,
  },
}

for (const [tool, { log, first, ...expected }] of Object.entries(samples)) {
  test(`tells what failed in a log of ${tool}`, () => {
    const { command, exitCode, errors, known, excerpt } = readFailure(log)
    assert.deepEqual({ command, exitCode, cause: known?.cause }, expected)
    assert.equal(errors[0], first)
    assert.ok(excerpt.includes(first))
  })
}

/** A line, or a few, that stand for each cause. */
const lines: Record<string, string[]> = {
  egress_refused: [
    'npm error 403 x.example:443 cannot be reached from here: Neither the organization nor the repository allows this host. (not_allowed)',
  ],
  disk_full: [
    'error: could not write output: No space left on device (os error 28)',
    'npm ERR! code ENOSPC',
    'fatal: write error: Disk quota exceeded',
  ],
  runner_lost: [
    '##[error]The runner has received a shutdown signal.',
    '##[error]The self-hosted runner: ci-3 lost communication with the server.',
    '##[error]The operation was canceled.\nThe operation was canceled.',
  ],
  killed: [
    'Killed\nmake: *** [Makefile:3: test] Error 137',
    'FAIL\texample.com/app [build failed]\ngo build: signal: killed',
    '##[error]Process completed with exit code 137.',
  ],
  image_missing: [
    'ERROR: failed to solve: toomanyrequests: You have reached your pull rate limit.',
    '##[error]Unable to resolve action actions/checkout@v9',
  ],
  credentials: [
    'npm error code E401\nnpm error Incorrect or missing password.',
    "fatal: could not read Username for 'https://github.com': No such device or address",
    "fatal: Authentication failed for 'https://git.example.com/x.git/'",
    '[ERROR] Failed to execute goal: Could not transfer artifact a:b:pom:1 from/to central (https://repo.example/): status code: 403, reason phrase: Forbidden',
  ],
  server_error: [
    'npm error code E503\nnpm error 503 Service Unavailable - GET https://registry.npmjs.org/left-pad',
    'ERROR: HTTP error 502 while getting https://pypi.org/simple/requests/',
    'error: failed to download from `https://static.crates.io/crates/serde`: failed to get successful HTTP response, got HTTP 503',
    '[ERROR] Could not transfer artifact a:b:jar:1 from/to central (https://repo.maven.apache.org/maven2): status code: 502, reason phrase: Bad Gateway (502)',
    'go: example.com/x@v1.0.0: reading https://proxy.golang.org/x: 500 Internal Server Error\nerror: go failed',
  ],
  name_not_resolved: [
    'npm error code ENOTFOUND',
    'fatal: unable to access https://github.com/x/y: Could not resolve host: github.com',
    'error: dial tcp: lookup proxy.golang.org: no such host',
    'E   requests.exceptions.ConnectionError: [Errno -3] Temporary failure in name resolution',
    '[ERROR] java.net.UnknownHostException: repo.maven.apache.org',
  ],
  connection_broken: [
    'npm error code ECONNRESET',
    'error: dial tcp 142.250.1.1:443: i/o timeout',
    'pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool: Read timed out.',
    'error: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly',
    'error: spurious network error (3 tries remaining): [28] Timeout was reached',
  ],
  pull_metadata: [
    '##[error]No release type found in pull request title "stuff".',
    'Error: The PR title must follow Conventional Commits',
    'Error: missing required labels: one of "feature", "fix"',
    'Error: please sign our CLA before we can merge',
  ],
  port_taken: ['Error: listen EADDRINUSE: address already in use :::3000'],
  test_timeout: [
    '  ● loads the page\n    thrown: "Exceeded timeout of 5000 ms for a test.',
    'panic: test timed out after 10m0s',
    'E   Failed: Timeout >30.0s',
  ],
  lock_contended: [
    'psycopg.errors.DeadlockDetected: deadlock detected',
    'sqlite3.OperationalError: database is locked',
  ],
  lockfile_outdated: [
    'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
    ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"',
    'error: the lock file /workspace/Cargo.lock needs to be updated but --locked was passed',
    'main.go:4:2: missing go.sum entry for module providing package example.com/x',
  ],
  version_not_found: [
    'npm error code ETARGET\nnpm error notarget No matching version found for left-pad@99.',
    'ERROR: No matching distribution found for reqests==2',
  ],
  module_missing: [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod'",
    "E   ModuleNotFoundError: No module named 'requests'",
    'main.go:4:2: no required module provides package example.com/x; to add it:',
    'error[E0432]: unresolved import `serde`',
    '[ERROR] /src/App.java:[3,20] package com.google.gson does not exist',
  ],
  command_missing: ['bash: line 2: pnpm: command not found', 'npm error Missing script: "test"'],
  types: ["src/a.ts:3:5 - error TS2551: Property 'lenght' does not exist", 'error[E0308]: mismatched types'],
  does_not_compile: ['SyntaxError: Unexpected token }', 'main.go:9:2: undefined: foo', 'a.c:3:5: error: expected ;'],
  style: ['✖ 2 problems (2 errors, 0 warnings)', 'error: would reformat src/a.py'],
  out_of_heap: ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
  tests_failed: [
    'not ok 3 - adds',
    '✖ adds two numbers (1.2ms)',
    '[ERROR] Tests run: 4, Failures: 1, Errors: 0',
    'test add ... FAILED',
  ],
}

for (const { cause, meaning } of knownFailures) {
  test(`knows what it means where a log says: ${cause}`, () => {
    assert.match(meaning, /\.$/)
    const texts = lines[cause]
    assert.ok(texts, 'no log stands for it')
    for (const text of texts) assert.equal(readFailure(`all is well\n${text}\n`).known?.cause, cause, text)
  })
}

test('words of failure where all is well are no errors', () => {
  const log = [
    '0 errors, 3 warnings',
    'Failed: 0',
    'compiling src/errors.ts',
    'npm warn deprecated: this fixes an error',
    'curl --fail https://example.com',
    'ok: handles a connection that was reset',
  ].join('\n')
  assert.deepEqual(readFailure(log).errors, [])
})

test('what a passing test is called says nothing of a failure far from it', () => {
  const passing = Array.from({ length: 20 }, (_, n) => `✔ copes with ECONNRESET and ENOSPC ${n}`).join('\n')
  assert.equal(readFailure(`${passing}\n✖ adds two numbers\n`).known?.cause, 'tests_failed')
})

test('the same failure has the same signature at another time, on another machine and at other lines', () => {
  const log = (n: number) => `2026-11-2${n}T10:0${n}:00.000Z Run make
/home/runner-${n}/work/app/src/cart.test.ts:1${n}:5: error: expected 3 in 0x7ffe${n}abc after 1${n}.2s
--- FAIL: TestSum (0.0${n}s)
/tmp/build-${n}81723/out: error 9f8e7d6c5b4a${n}
`
  assert.equal(readFailure(log(1)).signature, readFailure(log(2)).signature)
})

test('another failure has another signature: another file, another test, another code', () => {
  const signatures = [
    'src/a.ts(1,2): error TS2322: x',
    'src/b.ts(1,2): error TS2322: x',
    'src/a.ts(1,2): error TS2345: x',
    '--- FAIL: TestSum (0.00s)',
    '--- FAIL: TestMul (0.00s)',
    '',
  ].map((log) => readFailure(log).signature)
  assert.equal(new Set(signatures).size, signatures.length)
})

test('tests that fail in another order are the same failure', () => {
  const [one, other] = ['not ok 1 - a\nnot ok 2 - b\n', 'not ok 1 - b\nnot ok 2 - a\n']
  assert.equal(readFailure(one).signature, readFailure(other).signature)
})

test('an excerpt begins a little before the first error, and keeps both its ends within its bounds', () => {
  const noise = Array.from({ length: 30_000 }, (_, n) => `step ${n} é`)
  const log = [...noise, 'FAILED tests/test_a.py::test_a', ...noise, 'the very end'].join('\n')
  const { excerpt } = readFailure(log, { excerptBytesMax: 4_096 })
  assert.ok(Buffer.byteLength(excerpt) <= 4_096)
  assert.match(
    excerpt,
    /^step 29980 é\n[^]*\nFAILED tests\/test_a\.py::test_a\n[^]*bytes left out …\][^]*the very end$/,
  )
  assert.ok(!excerpt.includes('\ufffd'))
})

test('hostile logs are read in a moment', () => {
  const many = 5 * 1024 * 1024
  const hostile = [
    'a'.repeat(many),
    'error '.repeat(many / 6),
    '\n'.repeat(many),
    '\u001b['.repeat(many / 2),
    '/x'.repeat(many / 2),
    '1:'.repeat(many / 2),
    '\r'.repeat(many),
    'E  \u0000'.repeat(many / 4),
    'registry HTTP '.repeat(many / 14),
  ]
  for (const log of hostile) {
    const { excerpt, signature } = readFailure(log)
    assert.ok(Buffer.byteLength(excerpt) <= 64 * 1024)
    assert.match(signature, /^[\da-f]{64}$/)
  }
})

test('what is known better than the log says it counts', () => {
  const { command, exitCode } = readFailure(samples['go']!.log, { command: 'make test', exitCode: 2 })
  assert.deepEqual([command, exitCode], ['make test', 2])
})

test('an empty log says nothing', () => {
  assert.partialDeepStrictEqual(readFailure(''), {
    command: null,
    exitCode: null,
    errors: [],
    known: null,
    excerpt: '',
  })
})
