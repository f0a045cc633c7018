import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import { cutEntry, entryJson, isNameOfWhole } from './cut-entry.ts'

const long = (sign: string) => `begin${sign.repeat(1_000_000)}end`
const cut = (entry: Entry) => {
  const done = cutEntry(entry, { turn: 1, at: '7' })
  assert.ok(Buffer.byteLength(entryJson(done.entry, 1)) <= limits.logEntryBytesMax)
  return done
}

test('an entry within the limit stays the one it is', () => {
  const entry: Entry = { messageType: 'ACTION', toolOutput: { output: 'x' } }
  assert.equal(cut(entry).entry, entry)
  assert.deepEqual(cut(entry).wholes, [])
})

test('what is cut says which artifact holds the whole, and how much is left out', () => {
  const { entry, wholes } = cut({ messageType: 'ACTION', toolOutput: { output: long('x'), exit_code: 0 } })
  assert.deepEqual(wholes, [{ name: 'log-7-tool_output.txt', contentType: 'text/plain', text: long('x') }])
  const output = entry.toolOutput?.['output'] as string
  const [, head, leftOut, tail] =
    /^(beginx+)\n\[… (\d+) characters left out; the whole is the artifact log-7-tool_output\.txt …\]\n(x+end)$/.exec(
      output,
    ) ?? []
  assert.equal(String(head).length + Number(leftOut) + String(tail).length, long('x').length)
  assert.equal(entry.toolOutput?.['exit_code'], 0)
})

test('each text that is cut has an artifact of its own', () => {
  const { wholes } = cut({
    messageType: 'ACTION',
    thought: long('t'),
    toolInput: { command: long('c') },
    toolOutput: { stdout: long('o'), parts: [{ stderr: long('e') }] },
    observation: long('v'),
  })
  assert.deepEqual(wholes.map(({ name, text }) => `${name} ${text[5]}`).sort(), [
    'log-7-observation.txt v',
    'log-7-thought.txt t',
    'log-7-tool_input.txt c',
    'log-7-tool_output-2.txt e',
    'log-7-tool_output.txt o',
  ])
})

test('very many small values are one artifact, in JSON', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index]))
  const { entry, wholes } = cut({ messageType: 'ACTION', toolInput: { path: 'a' }, toolOutput: many })
  assert.deepEqual(
    wholes.map(({ name, contentType }) => [name, contentType]),
    [['log-7-tool_output.json', 'application/json']],
  )
  assert.deepEqual(JSON.parse(wholes[0]?.text ?? ''), many)
  assert.match(entry.toolOutput?.['cut'] as string, /the whole is the artifact log-7-tool_output\.json/)
  assert.deepEqual(entry.toolInput, { path: 'a' })
})

test('no half of a character stays at a cut', () => {
  const { entry } = cut({ messageType: 'ACTION', observation: `x${'😀'.repeat(200_000)}` })
  assert.ok((entry.observation as string).isWellFormed())
})

test('a file of an agent cannot be taken for the whole of an entry', () => {
  for (const name of ['log-7-tool_output.txt', 'log-turn-1-observation.txt', 'log-12-2-tool_input-3.json'])
    assert.equal(isNameOfWhole(name), true, name)
  for (const name of ['log.txt', 'log-7.txt', 'changelog-7-thought.txt', 'log-7-thought.pdf'])
    assert.equal(isNameOfWhole(name), false, name)
})
