import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequest } from './run-worker-tokens-command.ts'

test('an operator says which token in a few words', () => {
  assert.deepEqual(readRequest([]), { verb: 'list', word: '', organizationId: null, labels: null, days: null })
  assert.deepEqual(readRequest(['create', 'rack 4', '--labels', 'gpu,far', '--days', '90', '--organization', '3']), {
    verb: 'create',
    word: 'rack 4',
    organizationId: 3,
    labels: ['gpu', 'far'],
    days: 90,
  })
  assert.partialDeepStrictEqual(readRequest(['revoke', '7']), { verb: 'revoke', word: '7' })
})

test('what it does not understand is answered with how it is used', () => {
  for (const words of [
    ['create'],
    ['create', 'a', 'b'],
    ['create', 'a', '--labels', 'Not A Label'],
    ['create', 'a', '--days', '0'],
    ['list', 'all'],
    ['revoke', 'mine'],
    ['revoke'],
    ['make', 'a'],
    ['--organization', 'none'],
    ['--unknown'],
  ])
    assert.throws(() => readRequest(words), /"worker-tokens create <name>" makes one/, words.join(' '))
})
