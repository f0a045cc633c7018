import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete } from './complete.ts'
import { faultIn, readApi, type Answer } from './read-api.ts'

test('every answer and webhook of GitHub can be made whole out of nothing', () => {
  const { operations, webhooks } = readApi()
  const answers = Object.entries(operations).flatMap(([at, operation]) =>
    Object.entries(operation.answers).map(([status, answer]): [string, Answer] => [`${at} ${status}`, answer]),
  )
  const all = [...answers, ...Object.entries(webhooks)]
  assert.ok(all.length > 250)
  for (const [place, { schema, example }] of all)
    assert.equal(faultIn(schema, complete(schema, Array.isArray(example) ? [{}] : {})), null, place)
})
