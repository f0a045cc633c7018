import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveLimits } from '#base/live-limits.ts'
import type { JsonObject } from '#base/json.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { cutTool } from './cut-tool.ts'

const secret = 'correct horse battery staple'
const { mask } = openRedactor([{ name: 'PASSWORD', value: secret }])
const now = new Date('2026-11-22T10:00:00.000Z')
const cut = (input: JsonObject) => cutTool({ kind: 'tool', request: { name: 'shell', input } }, { mask, now })
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

test('a tool is shown with its name, its input and when it started', () => {
  assert.deepEqual(cut({ command: 'npm test', timeout_seconds: 60 }), {
    toolName: 'shell',
    toolInput: { command: 'npm test', timeout_seconds: 60 },
    isCut: false,
    startedAt: '2026-11-22T10:00:00.000Z',
  })
})

test('a step of a model is not shown as a tool', () => {
  assert.equal(cutTool({ kind: 'model', request: { name: 'x' } }, { mask, now }), null)
})

test('secrets are taken out, also where a text is cut in the middle of one', () => {
  for (let before = liveLimits.toolInputBytesMax - 40; before < liveLimits.toolInputBytesMax + 10; before++) {
    const shown = JSON.stringify(cut({ command: `${'x'.repeat(before)}${secret}${'y'.repeat(5_000)}` }))
    assert.ok(!shown.includes(secret.slice(0, 8)), `${before}: ${shown.slice(-80)}`)
  }
})

test('what is too long is cut, and said to be', () => {
  for (const input of [
    { content: 'é\u0000"'.repeat(100_000) },
    { many: Array.from({ length: 400 }, () => 'some text of some length') },
    { very: Array.from({ length: 10_000 }, (_, n) => n) },
  ]) {
    const shown = cut(input)
    assert.ok(shown?.isCut)
    assert.ok(bytesOf(shown.toolInput) <= liveLimits.toolInputBytesMax)
  }
})
