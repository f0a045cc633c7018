import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shapeTitle } from './shape-title.ts'

const conventional = (title: string) => shapeTitle(title, { areConventional: true })

test('where commits are called by a convention, so is one that was named otherwise', () => {
  assert.equal(conventional('feat(cart)!: round prices'), 'feat(cart)!: round prices')
  assert.equal(conventional('Fix the sum of odd prices'), 'fix: fix the sum of odd prices')
  assert.equal(conventional('Add a page for prices'), 'feat: add a page for prices')
  assert.equal(conventional('HTTP answers without a body'), 'chore: HTTP answers without a body')
  assert.equal(conventional('Rename totalOf'), 'refactor: rename totalOf')
  assert.equal(shapeTitle('Fix the sum', { areConventional: false }), 'Fix the sum')
})

test('a title is one line, and does not end within a word', () => {
  const title = shapeTitle(`One\n two ${'word '.repeat(100)}`, { areConventional: false })
  assert.match(title, /^One two (?:word )+…$/)
  assert.ok(title.length <= 250)
  assert.equal(shapeTitle('x'.repeat(300), { areConventional: false }).length, 250)
})
