import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '#db/pool.ts'
import { testDb } from '#test/test-db.ts'
import { namedStatement } from './named-statement.ts'

const db = await testDb()

test('a statement is given its values by their names, each as often as it likes', async () => {
  type Sum = { left: number; right: number; unused?: string }
  const sum = namedStatement<Sum>(
    'test-sum',
    `select :left::int + :right::int as sum, '{":left"}' || :left::text as "left"`,
  )
  assert.equal(sum.text, `select $1::int + $2::int as sum, '{":left"}' || $1::text as "left"`)
  assert.deepEqual(await rows(db, sum, sum.bind({ right: 2, left: 1, unused: 'x' })), [{ sum: 3, left: '{":left"}1' }])
})

test('a value that is missing is told by its name', () => {
  const all = namedStatement<{ organizationId?: number | undefined }>('test-all', 'select :organizationId')
  assert.throws(() => all.bind({}), /test-all needs a value for :organizationId/)
  assert.deepEqual(all.bind({ organizationId: undefined }), [undefined])
})
