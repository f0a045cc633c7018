import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')

/** What stands in quotation marks between two texts. */
function quoted(text: string, { from, to }: { from: string; to: string }): string[] {
  const [, after = ''] = text.split(from)
  return [...after.split(to)[0]!.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
}

test('the packed program starts each part that the service has', () => {
  const words = quoted(read('../../server/src/main.ts'), { from: 'const words = [', to: ']' })
  const parts = quoted(read('runwright-service.mjs'), { from: 'const parts = {', to: '}' })
  assert.ok(words.length > 10)
  for (const word of words) assert.ok(parts.includes(word), `${word} is missing in runwright-service.mjs`)
})
