import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { priceTable, priceUsage } from './price-usage.ts'

const counts = { inputTokens: 13_000, cacheReadTokens: 10_000, cacheWriteTokens: 2_000, outputTokens: 100 }

test('a call costs what its provider lists, also for what was read from its cache', () => {
  const { costUsd, ...usage } = priceUsage({ provider: 'anthropic', id: 'claude-sonnet-4-5' }, counts)
  // 3 USD and 15 USD for a million tokens in and out; a tenth for reading the cache, a quarter more for writing it.
  const request = (1_000 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 100 * 15) / 1_000_000
  assert.ok(Math.abs((costUsd ?? 0) - request) < 1e-9)
  const priceSource = `${priceTable}: claude-sonnet-4-5`
  assert.deepEqual(usage, { model: 'anthropic/claude-sonnet-4-5', ...counts, priceSource })
})

test('what no price is known of is counted all the same', () => {
  const usage = priceUsage({ provider: 'openai', id: 'qwen-77' }, counts)
  assert.deepEqual(usage, { model: 'openai/qwen-77', ...counts, costUsd: null, priceSource: null })
})

test('counts that make no sense are none, and have no price', () => {
  const odd = { inputTokens: Number.NaN, cacheReadTokens: 5, cacheWriteTokens: -1, outputTokens: Infinity }
  assert.partialDeepStrictEqual(priceUsage({ provider: 'anthropic', id: 'claude-sonnet-4-5' }, odd), {
    inputTokens: 0,
    cacheReadTokens: 5,
    cacheWriteTokens: 0,
    outputTokens: 0,
    costUsd: null,
  })
})

test('the prices are named after the package that they are from', () => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const root = entry.slice(0, entry.lastIndexOf('genai-prices') + 'genai-prices'.length)
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  assert.equal(priceTable, `genai-prices ${version}`)
})
