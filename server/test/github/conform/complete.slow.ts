import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete } from './complete.ts'
import { faultIn, readApi, type Answer } from './read-api.ts'

test('every answer and webhook of GitHub can be made whole out of nothing', () => {
  const { operations, webhooks } = readApi()
  const groups = Object.entries(operations).flatMap(([at, { answers }]) =>
    Object.entries(answers).map(([status, group]): [string, Answer[]] => [`${at} ${status}`, group]),
  )
  const all = [...groups, ...Object.entries(webhooks)].flatMap(([place, group]) =>
    group.map((answer): [string, Answer] => [`${place} (${answer.versions.join(', ')})`, answer]),
  )
  assert.ok(all.length > 250)
  for (const [place, { schema, example }] of all)
    assert.equal(faultIn(schema, complete(schema, Array.isArray(example) ? [{}] : {})), null, place)
})
