import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { apiFile, describeApi } from './describe-api.ts'

test('what tests hold the adapter of GitHub to is what GitHub publishes: npm run generate:github writes it', () => {
  const [published, kept] = [describeApi(), readFileSync(apiFile, 'utf8')].map((text) => text.split('\n'))
  // The lines that differ, not megabytes of both.
  assert.deepEqual(
    kept?.filter((line) => !published?.includes(line)).map((line) => line.slice(0, 200)),
    [],
  )
  assert.deepEqual(
    published?.filter((line) => !kept?.includes(line)).map((line) => line.slice(0, 200)),
    [],
  )
})
