import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import { confineCall } from './confine-call.ts'
import type { Wire } from '#base/models/read-event.ts'

const paths: Record<Wire, string> = {
  anthropic: '/messages',
  chat: '/chat/completions',
  responses: '/responses',
  google: '/models/gemini-2.5-pro:generateContent',
}
const confine = (wire: Wire, body: JsonObject) => confineCall({ wire, path: paths[wire] }, body)
const says = (content: JsonObject[]) => ({ messages: [{ role: 'user', content }] })

test('a request that reaches for nothing is sent on as it is', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  // Names of ours mean nothing in what tools are given, and in what they are described by.
  const call = {
    type: 'tool_use',
    id: '1',
    name: 'fetch',
    input: { type: 'url', image_url: 'https://x', file_id: '7' },
  }
  const tool = { name: 'fetch', input_schema: { type: 'object', properties: { file_id: { type: 'string' } } } }
  const bash = { type: 'bash_20250124', name: 'bash' }
  const anthropic = { model: 'm', ...says([image, call]), tools: [tool, bash] }
  assert.deepEqual(confine('anthropic', { ...anthropic, mcp_servers: [] }), anthropic)
  const pixel = 'data:image/png;base64,AAAA'
  const chat = {
    ...says([{ type: 'image_url', image_url: { url: pixel } }]),
    tools: [{ type: 'function', function: {} }],
  }
  assert.deepEqual(confine('chat', chat), chat)
  const responses = {
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: pixel }] }],
    tools: [{ type: 'namespace', name: 'mcp__x', tools: [{ type: 'function', name: 'f' }] }],
    store: false,
  }
  assert.deepEqual(confine('responses', { ...responses, background: false }), responses)
  const args = { fileUri: 'https://x' }
  const google = {
    contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args } }, { inlineData: { data: 'AAAA' } }] }],
    tools: [{ functionDeclarations: [{ name: 'f' }] }],
  }
  assert.deepEqual(confine('google', google), google)
})

test('tools that the provider would run are left out', () => {
  const left = (wire: Wire, tools: JsonObject[]) => confine(wire, { tools })['tools']
  const own = { name: 'mine', input_schema: {} }
  assert.deepEqual(
    left('anthropic', [
      own,
      { type: 'web_search_20250305' },
      { type: 'web_fetch_20250910' },
      { type: 'code_execution_1' },
    ]),
    [own],
  )
  const named = { type: 'function', name: 'f' }
  const hosted = [
    'web_search',
    'web_search_preview',
    'mcp',
    'code_interpreter',
    'file_search',
    'shell',
    'image_generation',
  ]
  assert.deepEqual(left('responses', [named, ...hosted.map((type) => ({ type }))]), [named])
  const inside = { type: 'namespace', name: 'n', tools: [named, { type: 'mcp', server_url: 'https://x' }] }
  assert.deepEqual(left('responses', [inside]), [{ ...inside, tools: [named] }])
  const declared = { functionDeclarations: [{ name: 'f' }] }
  assert.deepEqual(left('google', [{ ...declared, googleSearch: {} }, { urlContext: {} }, { codeExecution: {} }]), [
    declared,
  ])
})

const refused: [why: string, wire: Wire, body: JsonObject][] = [
  ['an image at an address', 'anthropic', says([{ type: 'image', source: { type: 'url', url: 'https://x/?secret' } }])],
  ['somebody’s file', 'anthropic', says([{ type: 'document', source: { type: 'file', file_id: 'f' } }])],
  [
    'what a tool found, at an address',
    'anthropic',
    says([{ type: 'tool_result', content: [{ source: { type: 'url' } }] }]),
  ],
  ['servers of tools', 'anthropic', { mcp_servers: [{ url: 'https://x' }] }],
  ['what is dearer than we count', 'anthropic', { speed: 'fast' }],
  ['an image at an address', 'chat', says([{ type: 'image_url', image_url: { url: 'https://x/?secret' } }])],
  ['an address in capitals', 'chat', says([{ type: 'image_url', image_url: { url: 'HTTPS://x' } }])],
  ['a search', 'chat', { web_search_options: {} }],
  ['what is dearer than we count', 'chat', { service_tier: 'priority' }],
  ['tools that are no list', 'chat', { tools: { type: 'mcp' } }],
  ['an image at an address', 'responses', { input: [{ content: [{ type: 'input_image', image_url: 'https://x' }] }] }],
  ['a file at an address', 'responses', { input: [{ content: [{ type: 'input_file', file_url: 'https://x' }] }] }],
  ['an answer that nobody counts', 'responses', { background: true }],
  ['another conversation', 'responses', { previous_response_id: 'r' }],
  ['what others have said', 'responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ['what others have said, without saying so', 'responses', { input: [{ id: 'msg_1' }] }],
  ['what others have said, by its type', 'responses', { input: [{ type: 'web_search_call', id: 'ws_1' }] }],
  ['what others have stored', 'responses', { input: [], prompt: { id: 'p' } }],
  ['what others run', 'responses', { container: 'c' }],
  ['what is dearer, in capitals', 'responses', { service_tier: 'PRIORITY' }],
  ['what is dearer, as a list', 'responses', { service_tier: ['priority'] }],
  ['what is dearer, in the other spelling', 'google', { serviceTier: 'SERVICE_TIER_PRIORITY' }],
  ['another place', 'anthropic', { inference_geo: 'us' }],
  ['what was said aloud before', 'chat', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }],
  ['to speak', 'chat', { audio: { voice: 'alloy' } }],
  ['a file at an address', 'google', { contents: [{ parts: [{ fileData: { fileUri: 'https://x' } }] }] }],
  ['the same in the other spelling', 'google', { contents: [{ parts: [{ file_data: { file_uri: 'https://x' } }] }] }],
  ['what is cached for others', 'google', { cachedContent: 'cachedContents/1' }],
]
for (const [why, wire, body] of refused) {
  test(`over ${wire} a provider is not asked for ${why}`, () => {
    assert.throws(() => confine(wire, body), { name: 'CallRefused' })
  })
}

test('what is nested so deep that nobody could look into it is refused', () => {
  const body = JSON.parse(`{"messages":${'['.repeat(5_000)}${']'.repeat(5_000)}}`) as JsonObject
  assert.throws(() => confine('chat', body), /nested too deep/)
})

test('a stream of chat completions is asked for what it uses', () => {
  const asked = { stream: true, stream_options: { include_usage: false, other: 1 } }
  assert.deepEqual(confine('chat', asked), { stream: true, stream_options: { include_usage: true, other: 1 } })
})

test('what is not known is not sent on, and nothing is kept by the provider', () => {
  const body = { model: 'm', input: 'Hi', models: ['dear'], plugins: [{}], store: true, metadata: { a: 'b' } }
  assert.deepEqual(confine('responses', body), { model: 'm', input: 'Hi', store: false })
  assert.deepEqual(confine('chat', { store: true, prediction: { type: 'content' }, modalities: ['audio'] }), {})
  const hidden = JSON.parse('{"__proto__": {"container": "c"}, "constructor": 1, "model": "m"}') as JsonObject
  assert.equal(JSON.stringify(confine('anthropic', hidden)), '{"model":"m"}')
  const generation = { max_output_tokens: 5, maxOutputTokens: 7, response_modalities: ['IMAGE'], thinking_config: {} }
  assert.deepEqual(confine('google', { generation_config: generation, labels: {} }), {
    generationConfig: { maxOutputTokens: 7, thinkingConfig: {} },
  })
  const edits = [{ type: 'clear_tool_uses_20250919' }, { type: 'compact_20260112' }]
  assert.deepEqual(confine('anthropic', { context_management: { edits } }), {
    context_management: { edits: [edits[0]!] },
  })
})

test('what a model has thought is sent as it was sealed, or without a name to look it up by', () => {
  const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }
  const named = { type: 'reasoning', id: 'rs_2', summary: [] }
  const text = { role: 'user', content: 'Hi' }
  const { input } = confine('responses', { input: [text, sealed, named] })
  assert.deepEqual(input, [text, sealed, { type: 'reasoning', summary: [] }])
})
