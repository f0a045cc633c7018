import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#base/secrets/secret.ts'
import { startModelServer } from '#test/model-server.ts'
import { chooseModel } from './choose-model.ts'
import { listModels } from './list-models.ts'
import type { ModelOptions } from './model-options.ts'

const apiKey = new Secret('sk-secret-4711')
const anthropic = { apiKey, baseUrl: undefined }
const openai = { apiKey, baseUrl: undefined, wire: 'responses' as const }
const google = { apiKey, baseUrl: undefined }
const { signal } = new AbortController()

async function nameOf(options: ModelOptions, request: string | null = null): Promise<string> {
  return (await chooseModel(options, request, signal)).name
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
  assert.equal(await nameOf({ ...own, defaultModels: ['llama-5'] }), 'openai/llama-5')
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

test('a model that the operator does not name may not be used, and is not listed', async () => {
  const allowed = ['anthropic/claude-*', 'openai/qwen-4']
  assert.equal(await nameOf({ anthropic, openai, allowed }, 'claude-opus-5'), 'anthropic/claude-opus-5')
  await assert.rejects(nameOf({ openai, allowed }, 'gpt-6'), { code: 'no_model', message: /RUNWRIGHT_MODELS/ })
  await using server = await startModelServer([], 'llama-5')
  const own = { apiKey, baseUrl: server.url, wire: 'chat' as const }
  assert.deepEqual(await listModels({ openai: own, allowed }), [])
})
