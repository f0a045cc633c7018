import { applyCompaction } from '#adapters/engines/builtin/apply-compaction.ts'
import { readModelList } from '#adapters/engines/builtin/read-model-list.ts'
import { findStuck } from '#adapters/engines/builtin/find-stuck.ts'
import { applyEdit } from '#adapters/engines/builtin/tools/apply-edit.ts'
import { cleanOutput } from '#adapters/engines/builtin/tools/clean-output.ts'
import { cutMiddle } from '#adapters/engines/builtin/tools/cut-middle.ts'
import { decodeFile } from '#adapters/engines/builtin/tools/decode-file.ts'
import { diffLines } from '#base/text/diff-lines.ts'
import { explainMiss } from '#adapters/engines/builtin/tools/explain-miss.ts'
import { parsePatch } from '#adapters/engines/builtin/tools/parse-patch.ts'
import { placeHunks } from '#adapters/engines/builtin/tools/place-hunks.ts'
import { linesOf } from '#base/text/lines-of.ts'
import { writeMarkdown } from '#adapters/engines/builtin/tools/write-markdown.ts'
import { explainLog } from '#adapters/engines/explain/explain-log.ts'
import { readCollected, readToxCommands } from '#adapters/engines/repair/find-python-suites.ts'
import { functionAround } from '#adapters/engines/repair/function-around.ts'
import { locateFault } from '#adapters/engines/repair/locate-fault.ts'
import { literalsIn } from '#adapters/engines/repair/collect-literals.ts'
import { findCause } from '#adapters/engines/repair/find-cause.ts'
import { readJestReport } from '#adapters/engines/repair/read-jest-report.ts'
import { readNodeReport } from '#adapters/engines/repair/read-node-report.ts'
import { readTap } from '#adapters/engines/repair/read-tap.ts'
import { splitTestScript } from '#adapters/engines/repair/split-test-script.ts'
import { writeAnswer } from '#adapters/engines/repair/write-answer.ts'
import { readScript } from '#adapters/engines/scripted/read-script.ts'
import { readAnswer as readMcpAnswer } from '#adapters/mcp/read-answer.ts'
import { readTools } from '#adapters/mcp/read-tools.ts'
import { FrameReader } from '#adapters/sandboxes/exec-frames.ts'
import { readBatch } from '#adapters/codehosts/lfs-client.ts'
import { readLfsPointer } from '#adapters/codehosts/lfs-pointer.ts'
import { unwrapWebhook } from '#adapters/codehosts/github/unwrap-webhook.ts'
import { readWebhook } from '#adapters/codehosts/github/read-webhook.ts'
import { parseHostName } from '#base/network/host-name.ts'
import { logLines } from '#base/failure-report/log-lines.ts'
import { readFailure } from '#base/failure-report/read-failure.ts'
import { signFailure } from '#base/failure-report/sign-failure.ts'
import { findHunk } from '#base/text/find-hunk.ts'
import { mentions } from '#base/text/find-mention.ts'
import { findClosedIssues } from '#base/text/find-closed-issues.ts'
import { dropAllMarkers, dropMarkers } from '#base/text/hidden-marker.ts'
import { stripHiddenMarkdown } from '#base/text/strip-hidden-markdown.ts'
import { KeptOutput } from '#base/text/kept-output.ts'
import { lastFencedBlock } from '#base/text/last-fenced-block.ts'
import { markForeign } from '#base/text/mark-foreign.ts'
import { readDiffLines } from '#base/text/read-diff-lines.ts'
import { readPublicKey } from '#base/ssh/read-public-key.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { attribute } from '#base/text/attribute.ts'
import { probeSetup } from '#adapters/engines/setup/probe/probe-setup.ts'
import { splitScript } from '#adapters/engines/setup/probe/split-script.ts'
import { withoutComments } from '#adapters/engines/setup/probe/without-comments.ts'
import { escapeInvisible } from '#base/text/escape-invisible.ts'
import { matchPath, readOwnedPaths } from '#base/text/match-path.ts'
import { findOwners } from '#domain/hosts/code-owners/find-owners.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { readCodeOwners } from '#domain/hosts/code-owners/read-code-owners.ts'
import { readRunwrightYml } from '#domain/repos/environments/read-runwright-yml.ts'
import { whyNotBranchPattern } from '#domain/repos/branch-pattern.ts'
import { parseRule } from '#domain/repos/egress/rule.ts'
import { readGitUrl } from '#domain/repos/read-git-url.ts'
import { branchName } from '#domain/runs/runs/branch-name.ts'
import { titleOf } from '#domain/runs/runs/create-run.ts'
import { readPushHead } from '#git/push-commands.ts'
import { parseLfsRequest } from '#git/read-lfs-request.ts'
import { parseCommand } from '#git/ssh/parse-command.ts'
import { shapeTitle } from '#worker/runs/steps/shape-title.ts'
import { writePullBody } from '#worker/runs/steps/write-pull-body.ts'
import { parseClientHello } from '#proxy/parse-client-hello.ts'

export type Reader = (text: string) => unknown

const redactor = openRedactor([
  { name: 'KEY', value: 'aaaaaaaaaaaaaaaaaaab' },
  { name: 'OTHER', value: '1111111111-[[[[[[[[[[`' },
])
const kinds = { javascript: 'a.js', python: 'a.py' }

/** Of files that say how a repository is set up; each is read with others waiting in between. */
const fileCharactersMax = 256 * 1024
const probed = [
  '.runwright.yml',
  'AGENTS.md',
  'Makefile',
  'Dockerfile',
  '.devcontainer/devcontainer.json',
  '.cursor/environment.json',

  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  'package.json',
  'pyproject.toml',
  'go.mod',
  'Cargo.toml',
  'pom.xml',

  'Gemfile',
  '.tool-versions',
  '.nvmrc',
  'requirements.txt',
  'package-lock.json',
  'pnpm-lock.yaml',
  'uv.lock',
  'setup.cfg',
]

/** Everything that reads what strangers wrote: output of commands, files of a repository, comments, what a network says. */
export const readers: Record<string, Reader> = {
  'output of commands': cleanOutput,
  'the middle that is left out': (text) => cutMiddle(text, 8_000),
  'lines of a file': linesOf,
  'a web page': (text) => writeMarkdown(`<p>${text}`, 'https://host.test/'),
  'the encoding of a file': (text) => decodeFile(Buffer.from(`\xff\xe9${text}`, 'latin1')),
  'UTF-8 that is broken': (text) =>
    decodeFile(Buffer.concat([Buffer.from('éé'), Buffer.from(text), Buffer.from([0xff])])),
  'hidden characters': (text) => escapeInvisible(text),
  'what pages show': stripHiddenMarkdown,
  'what is marked as foreign': (text) => markForeign(text, { from: text, seal: '0123456789abcdef', isRendered: true }),
  'a mention': (text) => mentions(text, 'bot'),
  'issues that a text closes': findClosedIssues,
  'the template of a pull request': (text) =>
    writePullBody({ answer: { answer: text }, issues: [1], template: text, url: '' }),
  'a title of a commit': (text) => shapeTitle(text, { areConventional: true }),
  'the address of a submodule': (text) => [
    readGitUrl(text, 'https://host.test/a/b'),
    readGitUrl(`../${text.slice(0, 990)}`, 'https://host.test/a/b'),
  ],
  'hidden markers': (text) => [dropAllMarkers(text), dropMarkers(text)],
  "a comment's author": (text) => attribute('mallory', text),
  'the last block of code': (text) => lastFencedBlock(text, ['```json', '```']),
  'a mask over a whole text': redactor.mask,
  'a mask over a text in pieces': (text) => {
    const stream = redactor.openStream()
    for (const piece of piecesOf(text, 1_000)) stream.write(piece)
    return stream.end()
  },
  'output that is kept': (text) => {
    const kept = new KeptOutput(10_000)
    for (const piece of piecesOf(text, 100)) kept.append(piece)
    return kept.take()
  },
  'the frames of a sandbox': (text) => {
    const reader = new FrameReader()
    return attempt(() => {
      for (const piece of piecesOf(text, 1_000)) {
        reader.push(piece)
        while (reader.next());
      }
    })
  },
  'a list of models': (text) => readModelList(`{"data":[{"id":${JSON.stringify(text)}},${text}`),
  'the tools of an MCP server': (text) =>
    readTools('x', [
      { name: 'x', description: text, inputSchema: { description: text, enum: [text], $ref: text } },
      { name: text },
    ]),
  'an answer of an MCP tool': (text) =>
    readMcpAnswer({
      content: [
        { type: 'text', text },
        { type: 'image', data: text, mimeType: 'image/png' },
      ],
    }),
  'a batch of large files': (text) => attempt(() => parseLfsRequest(text)),
  'a pointer to a large file': (text) => [
    readLfsPointer(text),
    readLfsPointer(`version https://git-lfs.github.com/spec/v1\n${text}`),
  ],
  'what a host says of large files': (text) =>
    attempt(() => readBatch({ address: 'https://a.test/b', authorization: '' }, text)),
  'lines of a log': logLines,
  'a report of a failure': (text) => readFailure(text),
  "a failure's signature": (text) => signFailure(logLines(text).slice(-50)),
  'commands that failed': (text) =>
    explainLog([{ command: text.slice(0, 2_000), exitCode: 1, reason: 'exited', durationMs: 1, output: text }]),
  'a diff': readDiffLines,
  'a diff that holds a line': (text) => findHunk(text, { path: 'a', line: 1_000_000, side: 'head' }),
  'lines that changed': (text) =>
    diffLines('a', text, `${text.slice(0, text.length / 2)}x${text.slice(text.length / 2)}`),
  'an edit': (text) =>
    applyEdit(text, { oldText: `${text.slice(0, 4_000)} \nnot there`, newText: 'x', replaceAll: false }),
  'an edit that finds nothing': (text) =>
    explainMiss({
      path: 'a',
      before: text,
      oldText: `${text.slice(0, 2_000)} \nnot there`,
      newText: `${text.slice(0, 100)}é`,
    }),
  "a model's patch": (text) =>
    attempt(() =>
      parsePatch(`*** Begin Patch\n*** Update File: a\n@@ ${text}\n-${text.replaceAll('\n', '\n-')}\n*** End Patch`),
    ),
  'where the lines of a patch stand': (text) =>
    attempt(() =>
      placeHunks({ path: 'a', text }, [
        { anchors: [text.slice(0, 50)], lines: [{ kind: 'removed', text: text.slice(0, 100) }], isAtEnd: false },
      ]),
    ),
  'lines that a long patch names': (text) =>
    attempt(() => placeHunks({ path: 'a', text }, [{ anchors: text.split('\n'), lines: [], isAtEnd: false }])),
  'where a long patch stands': (text) =>
    attempt(() => {
      const lines = text.slice(0, text.length / 2).split('\n')
      const removed = lines.map((line) => ({ kind: 'removed' as const, text: `${line} ` }))
      return placeHunks({ path: 'a', text }, [{ anchors: [], lines: removed, isAtEnd: false }])
    }),
  'calls that go round in circles': (text) =>
    findStuck([{ tool: 'shell', call: 'a', result: text, isError: true, editedPaths: [], timedOut: false }]),
  'what a shorter conversation leaves out': (text) =>
    applyCompaction(
      [
        { role: 'user', content: 'a' },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: '1', toolName: 'shell', output: { type: 'text', value: text } }],
        },
      ],
      { leaveOutBefore: 2, summary: null },
    ),
  'the trace of a failing test': (text) =>
    Object.values(kinds).map((file) => {
      const test = { file: 'test.js', name: 'a', ms: 1, isPassing: false, error: text, lines: { [file]: [1] } }
      return locateFault([{ tests: [test], imported: {} } as never], new Set())
    }),
  'the report of a test runner': (text) => attempt(() => readNodeReport(text, '/work')),
  'what pytest says it would run': (text) => readCollected(text, 'a'),
  "tox's commands": readToxCommands,
  'the function around a line': (text) => functionAround(text, text.length),
  'the answer about a repair': (text) => {
    const fix = {
      kind: 'comparison',
      file: 'a',
      line: 1,
      before: text,
      after: text,
      where: 'a',
      leaves: [text],
    } as never
    return writeAnswer(
      {
        suite: { command: 'a' },
        before: { tests: [] },
        flaky: [],
        outside: [{ id: text, cause: text }],
        otherFailing: [],
      } as never,
      { tried: 1 } as never,
      { fixes: [fix, { ...(fix as object) }], rivals: 1, confidence: 'medium' } as never,
      { fix, verification: { passed: 1, runs: 1 } as never, attempt: 0 },
    )
  },
  "jest's report": (text) => [
    attempt(() => readJestReport(text, '/work')),
    readJestReport(JSON.stringify({ testResults: [{ name: text, message: text, assertionResults: [] }] }), '/work'),
  ],
  'a stream of TAP': (text) => readTap(text, ['test/a.js', 'test/b/c.test.js']),
  'a test script': (text) => splitTestScript(text, { test: text }),
  'what keeps tests from running': (text) =>
    findCause({ tests: [{ isPassing: false, error: text }], outputTail: text } as never),
  'literals of a test': literalsIn,
  'a script of the scripted engine': (text) =>
    attempt(() => readScript({ metadata: { script: [{ shell: text }, { [text]: text }] }, number: 1 })),
  'a shell script': splitScript,
  'JSON with comments': withoutComments,
  ...Object.fromEntries(
    probed.map((path) => [
      `how to set up from ${path}`,
      (text: string) =>
        probeSetup({ paths: [path], read: () => Promise.resolve(text.length > fileCharactersMax ? null : text) }),
    ]),
  ),
  '.runwright.yml': (text) => readRunwrightYml(Buffer.from(text)),
  'a pattern of paths': (text) => matchPath(text.slice(0, 1_000), text.slice(0, 1_000)),
  CODEOWNERS: (text) => readCodeOwners(Buffer.from(text)),
  'who owns a path': (text) => {
    const { patternCharactersMax } = codeOwnersLimits
    const paths = readOwnedPaths(text.slice(0, patternCharactersMax))
    return findOwners([{ pattern: '', paths, owners: [] }], [text.slice(0, 4_096)])
  },
  'a pattern of branches': whyNotBranchPattern,
  'a rule of the network': (text) => parseRule(text),
  'a name of a host': parseHostName,
  'a title': (text) => [titleOf(text), branchName(1, text)],
  'what a push wants': (text) => readPushHead(streamOf(text, 1_000)).catch((error: Error) => error.message),
  'a command over SSH': (text) => attempt(() => parseCommand(`git-upload-pack '/1/${text}.git'`)),
  'a public key': (text) => readPublicKey(`ssh-ed25519 ${text}`).catch((error: Error) => error.message),
  'the first words of TLS': (text) => parseClientHello(Buffer.from(`\x16\x03\x01${text}`, 'latin1')),
  'records of TLS of one byte': (text) => {
    const record = Buffer.from('\x16\x03\x01\x00\x01\x01', 'latin1')
    return parseClientHello(Buffer.alloc(Math.min(text.length, 128 * 1024), record))
  },
  'a webhook as a form': (text) =>
    unwrapWebhook({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`payload=${text}`),
    }),
  'a webhook': (text) => attempt(() => readWebhook('issue_comment', Buffer.from(text))),
}

function piecesOf(text: string, bytes: number): Buffer[] {
  const whole = Buffer.from(text)
  return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, n) => whole.subarray(n * bytes, (n + 1) * bytes))
}

async function* streamOf(text: string, bytes: number): AsyncGenerator<Buffer> {
  yield* piecesOf(text, bytes)
}

/** A refusal is an answer too. */
function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw error
    return error
  }
}
