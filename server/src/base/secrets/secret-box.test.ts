import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { SecretBox } from './secret-box.ts'

const key = randomBytes(32)
const box = new SecretBox(key)
const text = Buffer.from('correct horse battery staple')

test('what is sealed is read again with the same key, at the same place', () => {
  const sealed = box.seal(text, ['secret', 1, null, 'NAME'])
  assert.deepEqual(new SecretBox(key).open(sealed, ['secret', 1, null, 'NAME']), text)
  assert.ok(!sealed.includes(text))
})

test('the same bytes are sealed differently each time', () => {
  assert.notDeepEqual(box.seal(text, 'here'), box.seal(text, 'here'))
})

test('another key reads nothing', () => {
  assert.equal(new SecretBox(randomBytes(32)).open(box.seal(text, 'here'), 'here'), undefined)
})

test('at another place nothing is read', () => {
  const sealed = box.seal(text, ['secret', 1, null, 'NAME'])
  for (const place of [
    ['secret', 2, null, 'NAME'],
    ['secret', 1, 1, 'NAME'],
    ['secret', 1, null, 'OTHER'],
  ])
    assert.equal(box.open(sealed, place), undefined)
})

test('what was changed anywhere, or cut, is not read', () => {
  const sealed = box.seal(text, 'here')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    assert.equal(box.open(changed, 'here'), undefined, `byte ${at}`)
    assert.equal(box.open(sealed.subarray(0, at), 'here'), undefined, `cut at ${at}`)
  }
})

test('a box that is printed shows no key', () => {
  assert.ok(!inspect(box, { showHidden: true, depth: 9 }).includes(key.toString('hex')))
  assert.equal(JSON.stringify(box), '{}')
})

test('while keys are changed, what the previous and the next one have sealed is read, and only the former is sealed anew', () => {
  const [previous, next] = [randomBytes(32), randomBytes(32)]
  const changing = new SecretBox(key, { previous, next })
  const sealed = { previous: new SecretBox(previous).seal(text, 'here'), next: new SecretBox(next).seal(text, 'here') }
  assert.deepEqual(changing.open(sealed.previous, 'here'), text)
  assert.deepEqual(changing.open(sealed.next, 'here'), text)
  assert.deepEqual(box.open(changing.renew(sealed.previous, 'here')!, 'here'), text)
  assert.equal(changing.renew(sealed.next, 'here'), undefined)
  assert.equal(changing.renew(box.seal(text, 'here'), 'here'), undefined)
  assert.equal(changing.renew(sealed.previous, 'there'), undefined)
  assert.deepEqual(box.open(changing.seal(text, 'here'), 'here'), text)
})
