import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WorkerLost } from '#test/memory-turn.ts'
import type { ScriptedReply } from '#test/model-server.ts'
import { byAnswers, plain, play } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const files = {
  'package.json': '{ "name": "stats", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/stats.js':
    'export function median(xs) {\n  const s = [...xs].sort();\n  const m = s.length >> 1;\n' +
    '  return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;\n}\n\n' +
    'export function mean(xs) {\n  return xs.reduce((a, b) => a + b, 0) / xs.length;\n}\n',
  'test/stats.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { mean, median } from '../src/stats.js';\n" +
    "test('median', () => assert.equal(median([10, 9, 1]), 9));\n" +
    "test('small median', () => assert.equal(median([3, 1, 2, 4]), 2.5));\n" +
    "test('mean', () => assert.equal(mean([1, 2]), 1.5));\n",
}
const change = { path: 'src/stats.js', old_text: '.sort()' }
const right = { ...change, new_text: '.sort((a, b) => a - b)' }

const script: ScriptedReply[] = [
  { text: 'Where is it?', calls: [{ name: 'locate_fault', input: {} }] },
  {
    text: 'Either of these.',
    calls: [
      {
        name: 'try_change',
        input: {
          alternatives: [
            { ...change, new_text: '.sort().reverse()' },
            right,
            { ...change, old_text: 's.sort', new_text: 's' },
            { ...change, new_text: '.sort(' },
            { path: 'test/stats.test.js', old_text: ', 9)', new_text: ', 10)' },
          ],
        },
      },
      { name: 'shell', input: { command: 'git status --short' } },
    ],
  },
  { text: 'The second.', calls: [{ name: 'edit', input: right }] },
  { calls: [{ name: 'locate_fault', input: { command: 'npm run tests' } }] },
  { calls: [{ name: 'locate_fault', input: {} }] },
  { calls: [{ name: 'shell', input: { command: 'node --test' } }] },
  { calls: [{ name: 'finish', input: { summary: 'median() sorts numbers.', checks: [{ step: 't1-6.1' }] } }] },
]

const toolsOf = (body: unknown) => JSON.stringify((body as { tools?: unknown }).tools)

describe('a model that proposes changes', () => {
  test('finds the lines, has its changes tried and makes the one that is right', async () => {
    await using sandbox = await makeWorkspace(files)
    const { answer, error, turn, requests } = await play(byAnswers(script), { sandbox })
    assert.ok(answer, String(error))
    const heard = turn.entries
      .filter(({ messageType }) => messageType === 'ACTION')
      .map((entry) => plain(entry.observation))
    const [located, tried, status, , unknown, nothing] = heard
    assert.match(located!, /^1 of 3 tests fail \(node --test\):\n- test\/stats\.test\.js > median: .*10 == 9\n/)
    assert.match(located!, /\nsrc\/stats\.js:\d \(\d\.\d\d\) const s = \[\.\.\.xs\]\.sort\(\);\n/)
    assert.doesNotMatch(located!, /xs\.reduce|TestContext/)
    const lines = tried!.split('\n')
    assert.match(lines[0]!, /^1\. src\/stats\.js: 0 of 1 failing tests pass\. Still failing: .*median: /)
    assert.equal(lines[1], '2. src/stats.js: 1 of 1 failing tests pass, and the 2 others')
    assert.match(lines[2]!, /^3\. src\/stats\.js: .*old_text/)
    assert.match(lines[3]!, /^4\. src\/stats\.js: There would be a syntax error near line 2/)
    assert.match(lines[4]!, /^5\. test\/stats\.test\.js: .*files? of the tests/)
    assert.match(status!, /^\[exit 0/)
    assert.match(unknown!, /no such test command here\. Those that were found: `node --test`/)
    assert.match(nothing!, /No test fails/)
    assert.match(toolsOf(requests[0]!.body), /locate_fault.*try_change/)
    assert.match((await sandbox.readFile(`${sandbox.paths.workspace}/src/stats.js`)).toString(), /a - b/)
  })

  test('is told when its change breaks other tests', async () => {
    await using sandbox = await makeWorkspace(files)
    const alternatives = [{ ...change, new_text: '.slice(1, 2)' }]
    const { turn } = await play(byAnswers([{ calls: [{ name: 'try_change', input: { alternatives } }] }]), { sandbox })
    const heard = turn.entries.find((entry) => entry.toolName === 'try_change')
    assert.match(plain(heard?.observation), /1 of 1 failing tests pass\. Others fail now: .*small median: /)
  })

  test('loses its worker while they are tried, and another one tries them again', async () => {
    await using sandbox = await makeWorkspace(files)
    const loseWorkerAt = { key: 't1/tool/2.1', when: 'done' } as const
    const lost = await play(byAnswers(script), { sandbox, loseWorkerAt })
    assert.ok(lost.error instanceof WorkerLost)
    const { answer, turn } = await play(byAnswers(script), { sandbox, store: lost.turn.store })
    assert.ok(answer)
    const again = turn.entries.filter((entry) => entry.isRepeated).map((entry) => entry.toolName)
    assert.deepEqual(again, ['try_change'])
  })

  test('is not offered what could not help: without tests, or where they cannot be kept loaded', async () => {
    for (const script of ['', 'sh check.sh']) {
      const manifest = JSON.stringify({ scripts: script ? { test: script } : {} })
      await using sandbox = await makeWorkspace({ 'package.json': manifest, 'index.js': '' })
      const { requests } = await play(byAnswers([{ calls: [{ name: 'finish', input: { summary: 'Done.' } }] }]), {
        sandbox,
      })
      assert.doesNotMatch(toolsOf(requests[0]!.body), /locate_fault|try_change/)
    }
  })
})
