import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPages, hasNextPage } from '../src/pages.js'

test('every page but the last has a next one', () => {
  for (const items of [1, 9, 10, 11, 20, 21, 100])
    for (let page = 1; page <= countPages(items, 10); page++)
      assert.equal(hasNextPage(page, { items, perPage: 10 }), page < countPages(items, 10), `page ${page} of ${items} items`)
})

test('pages are counted as before', () => {
  for (const [items, pages] of [[0, 0], [1, 1], [10, 1], [11, 2]]) assert.equal(countPages(items, 10), pages)
})
