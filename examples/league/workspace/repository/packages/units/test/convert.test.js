import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert } from '../src/convert.js'

test('lengths are converted', () => assert.equal(convert(2, 'km', 'm'), 2000))
