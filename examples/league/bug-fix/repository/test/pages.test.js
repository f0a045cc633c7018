import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPages, hasNextPage } from '../src/pages.js'

test('a page that is not full counts', () => {
  assert.equal(countPages(21, 10), 3)
})

test('the last page has no next one', () => {
  assert.equal(hasNextPage(2, { items: 21, perPage: 10 }), true)
  assert.equal(hasNextPage(2, { items: 20, perPage: 10 }), false)
})
