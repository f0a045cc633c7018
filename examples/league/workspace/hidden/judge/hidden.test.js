import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { convert } from '../packages/units/src/convert.js'

const main = path.resolve(import.meta.dirname, '../packages/cli/src/main.js')
const run = (...words) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('known units are converted as before', () => {
  assert.equal(convert(2, 'km', 'm'), 2000)
  assert.equal(convert(5, 'mm', 'cm'), 0.5)
  assert.deepEqual(run('2', 'km', 'm'), { status: 0, stdout: '2000\n', stderr: '' })
})

test('a unit that is not known is named', () => {
  for (const [from, to, name] of [['mile', 'm', 'mile'], ['m', 'ell', 'ell'], ['mile', 'ell', 'mile'], ['toString', 'm', 'toString']])
    assert.throws(() => convert(1, from, to), { name: 'RangeError', message: `unknown unit: ${name}` })
})

test('the command says so and fails', () => {
  assert.deepEqual(run('2', 'mile', 'm'), { status: 2, stdout: '', stderr: 'unknown unit: mile\n' })
})
