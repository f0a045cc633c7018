import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoizeFor } from './memoize-for.ts'

test('however many ask, there is one look at a time and in a second, and one that failed is not kept', async () => {
  let now = 0
  const looks: PromiseWithResolvers<string>[] = []
  const look = memoizeFor(
    1_000,
    () => {
      looks.push(Promise.withResolvers())
      return looks.at(-1)!.promise
    },
    () => now,
  )
  const first = [look(), look()]
  now = 5_000
  first.push(look())
  assert.equal(looks.length, 1, 'a look that takes long is not made again beside it')
  looks[0]?.resolve('one')
  assert.deepEqual(await Promise.all(first), ['one', 'one', 'one'])
  const second = look()
  now = 5_999
  assert.equal(look(), second)
  looks[1]?.reject(new Error('away'))
  await assert.rejects(second, /away/)
  const third = look()
  looks[2]?.resolve('three')
  assert.equal(await third, 'three')
  assert.equal(looks.length, 3)
})
