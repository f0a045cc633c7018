import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { JsonObject } from '#base/json.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { findModelPath } from './find-model-path.ts'
import { ForeignJson } from './foreign-json.ts'
import { prepareCall, type Encoding } from './prepare-call.ts'
import { writeTail } from './split-output.ts'

const paths = {
  anthropic: '/model/anthropic/v1/messages',
  chat: '/model/openai/v1/chat/completions',
  responses: '/model/openai/v1/responses',
  google: '/model/google/v1beta/models/gemini-2.5-pro:generateContent',
}
type Wire = keyof typeof paths
const atOf = (wire: Wire) => findModelPath(paths[wire])!
const says = { messages: [{ role: 'user', content: 'Hi' }] }

function prepare(bytes: string | Uint8Array, wire: Wire = 'chat', encoding: Encoding = 'identity') {
  return prepareCall({ at: atOf(wire), bytes: Buffer.from(bytes), encoding })
}

/** What is sent of a body, where the model may write so much. */
function sent(wire: Wire, body: JsonObject, tokens: number | null): JsonObject {
  const { head, wish } = prepare(JSON.stringify(body), wire)
  return JSON.parse(Buffer.from(head).toString() + writeTail(atOf(wire), wish, tokens)) as JsonObject
}

test('how much a model may write is said last, whatever the call has said', () => {
  assert.deepEqual(sent('anthropic', { model: 'm', max_tokens: 900, ...says }, 500), {
    model: 'm',
    ...says,
    max_tokens: 500,
  })
  assert.deepEqual(sent('chat', { model: 'm', max_tokens: 900 }, 500), { model: 'm', max_tokens: 500 })
  assert.deepEqual(sent('chat', { model: 'm', max_tokens: 9, max_completion_tokens: 900 }, 5), {
    model: 'm',
    max_completion_tokens: 5,
  })
  assert.deepEqual(sent('chat', { model: 'm' }, 500), { model: 'm', max_completion_tokens: 500 })
  assert.deepEqual(sent('chat', { model: 'm' }, null), { model: 'm' })
  assert.deepEqual(sent('responses', { model: 'm', input: 'Hi' }, 500), {
    model: 'm',
    input: 'Hi',
    store: false,
    max_output_tokens: 500,
  })
  assert.deepEqual(sent('google', { contents: [] }, 500), { contents: [], generationConfig: { maxOutputTokens: 500 } })
  assert.deepEqual(sent('google', { generation_config: { max_output_tokens: 9, top_k: 1 }, contents: [] }, null), {
    contents: [],
    generationConfig: { topK: 1 },
  })
})

test('what may be thought is less than what may be written, and nothing where that is little', () => {
  const thinking = { type: 'enabled', budget_tokens: 10_000 }
  const body = { model: 'm', max_tokens: 20_000, thinking }
  assert.deepEqual(sent('anthropic', body, 20_000), body)
  assert.deepEqual(sent('anthropic', body, 5_000)['thinking'], { type: 'enabled', budget_tokens: 4_999 })
  assert.deepEqual(sent('anthropic', body, 500)['thinking'], { type: 'disabled' })
  assert.deepEqual(sent('anthropic', { max_tokens: 5, thinking: { type: 'adaptive' } }, 5)['thinking'], {
    type: 'adaptive',
  })
})

test('a number that is none is refused, however it is written', () => {
  for (const value of ['1e999', '-1', '0', '1.5', '"50000"', 'true', '[1]', '{}']) {
    assert.throws(() => prepare(`{"model":"m","max_tokens":${value}}`), { message: /must be a whole number/ }, value)
    assert.throws(() => prepare(`{"generationConfig":{"candidateCount":${value}}}`, 'google'), /must be a whole number/)
  }
  assert.equal(prepare('{"model":"m","n":4,"max_tokens":5}').wish.answers, 4)
})

test('of a name that stands twice the provider reads what we have read', () => {
  const { head, wish } = prepare(
    '{"model":"m","max_tokens":1,"service_tier":"priority","service_tier":null,"max_tokens":900}',
  )
  assert.equal(Buffer.from(head).toString() + writeTail(atOf('chat'), wish, 900), '{"model":"m","max_tokens":900}')
})

const deep = (levels: number) => `{"messages":${'['.repeat(levels)}${']'.repeat(levels)}}`
const refused: [what: string, body: string | Uint8Array, message: RegExp][] = [
  ['a list in a list in a list', deep(5_000_000), /nested too deep/],
  ['a million lists', `{"x":[${'[],'.repeat(1_000_000)}0]}`, /too many values/],
  ['a million numbers', `{"x":[${'0,'.repeat(1_000_000)}0]}`, /too many values/],
  ['a million names', `{${Array.from({ length: 300_000 }, (_, n) => `"${n}":0`).join()}}`, /too many values/],
  ['a text without end', `{"x":"${'\\\\"'.repeat(1_000_000)}`, /no JSON object/],
  ['UTF-16', Buffer.from('\ufeff{"model":"m"}', 'utf16le'), /no JSON object/],
  ['a mark of byte order', '\ufeff{"model":"m"}', /no JSON object/],
  ['nothing', '', /no JSON object/],
]
for (const [what, body, message] of refused) {
  test(`a body of ${what} is refused`, () => {
    assert.throws(() => prepare(body), { name: 'CallRefused', message })
  })
}

test('brackets in a text are no lists, and half a character harms nobody', () => {
  const content = `${'[{,'.repeat(500_000)}\\"\ud800`
  const body = { messages: [{ content }], model: 'm' }
  assert.deepEqual(sent('chat', body, null), JSON.parse(JSON.stringify(body)))
})

test('what is packed twice, or unfolds to too much, is refused', () => {
  const plain = JSON.stringify({ model: 'm' })
  assert.equal(prepare(zstdCompressSync(plain), 'chat', 'zstd').model, 'm')
  assert.throws(() => prepare(gzipSync(gzipSync(plain)), 'chat', 'gzip'), /no JSON object/)
  assert.throws(() => prepare(gzipSync(plain).subarray(0, 20), 'chat', 'gzip'), /cannot be unpacked/)
  assert.throws(() => prepare(gzipSync(Buffer.alloc(40 * 2 ** 20)), 'chat', 'gzip'), /larger than 32 MiB/)
  assert.throws(() => prepare(zstdCompressSync(Buffer.alloc(40 * 2 ** 20)), 'chat', 'zstd'), /larger than 32 MiB/)
})

test('a model reads no more than is counted at most, whatever it is sent', () => {
  const count = (body: JsonObject) => prepare(JSON.stringify({ model: 'm', ...body })).inputTokensMax
  assert.ok(count({ messages: [{ content: '一'.repeat(1_000) }] }) >= 3_000)
  assert.ok(count({ messages: [{ content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }] }) >= 50_000)
  assert.ok(count({ messages: [{ content: [{ type: 'input_audio', input_audio: { data: '' } }] }] }) >= 2_000_000)
})

test('the largest body that may be is read, in a process of its own', async () => {
  const json = new ForeignJson()
  const content = 'x'.repeat(modelLimits.modelCallBytesMax - 1_000)
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }))
  const { head } = await json.prepareCall({ at: atOf('chat'), bytes, encoding: 'identity' }, { key: 'a' })
  assert.ok(head.length > modelLimits.modelCallBytesMax - 1_000)
  const bomb = gzipSync(`{"model":"m","x":[${'[],'.repeat(10_000_000)}0]}`)
  assert.ok(bomb.length < 40_000)
  const refusal = { name: 'CallRefused', message: /too many values/ }
  await assert.rejects(json.prepareCall({ at: atOf('chat'), bytes: bomb, encoding: 'gzip' }, { key: 'a' }), refusal)
})
