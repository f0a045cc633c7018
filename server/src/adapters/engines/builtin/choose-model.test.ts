import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#base/secret.ts'
import { startModelServer } from '#test/model-server.ts'
import { chooseModel } from './choose-model.ts'
import { listModels } from './list-models.ts'
import { baseUrlOf, withoutSecrets, type ModelOptions } from './model-options.ts'

const apiKey = new Secret('sk-secret-4711')
const anthropic = { apiKey, baseUrl: undefined }
const openai = { apiKey, baseUrl: undefined, wire: 'responses' as const }
const google = { apiKey, baseUrl: undefined }
const { signal } = new AbortController()

async function nameOf(options: ModelOptions, wanted: string | null = null): Promise<string> {
  return (await chooseModel(options, wanted, signal)).name
}

test('a model is named with its provider, or found by its name', async () => {
  const all = { anthropic, openai, google }
  assert.equal(await nameOf(all, 'google/gemini-2.5-pro'), 'google/gemini-2.5-pro')
  assert.equal(await nameOf(all, 'claude-opus-5'), 'anthropic/claude-opus-5')
  assert.equal(await nameOf(all, 'gpt-6'), 'openai/gpt-6')
  assert.equal(await nameOf(all, 'gemini-2.5-pro'), 'google/gemini-2.5-pro')
  assert.equal(await nameOf({ anthropic, openai }, 'meta/llama-5'), 'openai/meta/llama-5')
  assert.equal(await nameOf({ google }, 'gemma-4'), 'google/gemma-4')
})

test('a model whose provider is not configured names the variable to set', async () => {
  await assert.rejects(nameOf({ openai }, 'anthropic/claude-opus-5'), {
    code: 'no_model',
    message: /set ANTHROPIC_API_KEY/,
  })
  await assert.rejects(nameOf({}, 'gpt-6'), { code: 'no_model', message: /OPENAI_API_KEY/ })
})

test('the default is what was set, else the first that the address lists, else one of ours', async () => {
  await using server = await startModelServer([], 'qwen-4')
  const own = { openai: { apiKey: undefined, baseUrl: server.url, wire: 'chat' as const } }
  assert.equal(await nameOf({ ...own, defaultModel: 'llama-5' }), 'openai/llama-5')
  assert.equal(await nameOf(own), 'openai/qwen-4')
  assert.equal(await nameOf({ google: { apiKey, baseUrl: server.url } }), 'google/qwen-4')
  assert.match(await nameOf({ anthropic, openai }), /^anthropic\/claude-/)
  await server.close()
  await assert.rejects(nameOf(own), {
    code: 'no_model',
    message: /cannot be reached.*OPENAI_BASE_URL.*RUNWRIGHT_MODEL/,
  })
})

test('lists the models of all providers, and why one cannot be asked', async () => {
  await using server = await startModelServer([], 'qwen-4')
  await using gone = await startModelServer([])
  await gone.close()
  const models = await listModels({
    anthropic: { apiKey, baseUrl: gone.url },
    openai: { apiKey, baseUrl: `${server.url}/v1/`, wire: 'chat' },
    google: { apiKey, baseUrl: server.url },
  })
  assert.deepEqual(
    models.map(({ name, available }) => [name, available]),
    [
      ['anthropic/*', false],
      ['openai/qwen-4', true],
      ['google/qwen-4', true],
    ],
  )
  assert.match(models[0]?.reason ?? '', /cannot be reached/)
})

test('addresses work with and without the version, and show no password', () => {
  const at = (baseUrl: string) => ({
    anthropic: { apiKey, baseUrl },
    openai: { apiKey, baseUrl, wire: 'chat' as const },
  })
  assert.equal(baseUrlOf(at('https://proxy.example/anthropic'), 'anthropic'), 'https://proxy.example/anthropic/v1')
  assert.equal(baseUrlOf(at('https://proxy.example/v1/'), 'anthropic'), 'https://proxy.example/v1')
  assert.equal(baseUrlOf(at('http://localhost:11434'), 'openai'), 'http://localhost:11434/v1')
  assert.equal(baseUrlOf(at('http://localhost:11434/api/v4'), 'openai'), 'http://localhost:11434/api/v4')
  const options = at('https://me:pass%21word@proxy.example')
  assert.equal(
    withoutSecrets(options, 'https://me:pass%21word@x, pass!word, sk-secret-4711'),
    'https://me:[key]@x, [key], [key]',
  )
})
