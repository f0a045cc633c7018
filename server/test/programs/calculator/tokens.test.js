import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenize } from './tokens.js'

test('nothing', () => assert.deepEqual(tokenize(''), []))
test('signs', () => assert.deepEqual(tokenize('( + )'), ['(', '+', ')']))
test('numbers before a sign', () => assert.deepEqual(tokenize('12+(3)'), [12, '+', '(', 3, ')']))
test('a number at the end', () => assert.deepEqual(tokenize('7 + 45'), [7, '+', 45]))
