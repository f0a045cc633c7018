import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUrlOf, withoutSecrets } from './model-providers.ts'
import { Secret } from '#base/secrets/secret.ts'

const apiKey = new Secret('sk-secret-4711')

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
