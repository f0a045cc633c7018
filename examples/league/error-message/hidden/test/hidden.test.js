import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../src/settings.js'

const messageOf = (text) => {
  try {
    readSettings(text, 'app.conf')
  } catch (error) {
    assert.equal(error.constructor, Error)
    return error.message
  }
  return null
}

test('good settings are read as before', () => {
  assert.deepEqual(readSettings('# colors\nback = white\n\n text=black \nnone =\nlong = a = b', 'a.conf'), {
    back: 'white',
    text: 'black',
    none: '',
    long: 'a = b',
  })
})

test('a line that is no setting is named with its place', () => {
  assert.equal(messageOf('a = 1\n\n# two\n  back white  \n'), 'app.conf, line 4: expected "name = value", got "back white"')
  assert.equal(messageOf('= 1'), 'app.conf, line 1: expected "name = value", got "= 1"')
})

test('a name that occurs twice is named with both places', () => {
  assert.equal(messageOf('# one\nback = white\n\nback = black'), 'app.conf, line 4: "back" is set already, in line 2')
  assert.equal(messageOf('toString = 1'), null)
})
