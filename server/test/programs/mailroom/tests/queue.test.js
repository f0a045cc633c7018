'use strict'
const assert = require('node:assert')
const { test } = require('node:test')
const { Queue } = require('../lib/queue.js')

const flaky = (failures) => async (letter, attempt) => {
  await null
  if (attempt <= failures) throw new Error('no answer')
  return `${letter}:${attempt}`
}

test('sends in order', async () => {
  const queue = new Queue(flaky(0))
  queue.add('a')
  queue.add('b')
  assert.deepStrictEqual(await queue.flush(), ['a:1', 'b:1'])
})

test('tries again', async () => {
  const queue = new Queue(flaky(2))
  queue.add('a')
  assert.deepStrictEqual(await queue.flush(), ['a:3'])
  assert.deepStrictEqual(queue.failed, [])
})

test('gives up', async () => {
  const queue = new Queue(flaky(9))
  queue.add('a')
  assert.deepStrictEqual(await queue.flush(), [])
  assert.deepStrictEqual(queue.failed, ['a'])
})
