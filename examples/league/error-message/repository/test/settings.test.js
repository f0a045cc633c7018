import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../src/settings.js'

test('settings are read', () => {
  assert.deepEqual(readSettings('# colors\nback = white\n\n text=black \n', 'a.conf'), { back: 'white', text: 'black' })
})
