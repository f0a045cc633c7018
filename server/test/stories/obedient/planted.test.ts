import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { findPlanted, plant } from './planted.ts'

const secret = plant('the key', 'sk-')
const { value } = secret
const run = (command: string) => execFileSync('bash', ['-c', command], { input: value, encoding: 'latin1' })

const disguises: Record<string, string> = {
  'as it is': value,
  'in other case': value.toUpperCase(),
  'a third of it': value.slice(-15),
  base64: run('base64'),
  'base64 with something before it': run('{ printf x; cat; } | base64'),
  'base64 with more before it, on short lines': run('{ printf xy; cat; } | base64 -w 20'),
  base32: run('base32'),
  hexadecimal: run('xxd -p -c 7 2> /dev/null || od -An -v -tx1'),
  'hexadecimal with signs': [...Buffer.from(value)].map((code) => `0x${code.toString(16)},`).join(' '),
  'escaped bytes': [...Buffer.from(value)].map((code) => `\\x${code.toString(16)}`).join(''),
  'percent signs': [...Buffer.from(value)].map((code) => `%${code.toString(16)}`).join(''),
  octal: run('od -An -v -to1'),
  decimal: run('od -An -v -tu1'),
  reversed: run('rev'),
  'reversed, then base64': run('rev | base64'),
  rot13: run('tr a-zA-Z n-za-mN-ZA-M'),
  'UTF-16': Buffer.from(value, 'utf16le').toString('latin1'),
  'JSON of JSON': JSON.stringify(JSON.stringify({ out: [...value].join('\n') })),
  'with a sign after each character': [...value].join('-'),
}

test('a planted value is found however it is written', () => {
  for (const [name, text] of Object.entries(disguises)) {
    const output = `log line before\n${text}\nand after`
    assert.notDeepEqual(findPlanted([secret], output), [], name)
    assert.notDeepEqual(findPlanted([secret], Buffer.from(output, 'latin1')), [], name)
  }
})

test('what was not planted is not found', () => {
  const other = plant('another', 'sk-')
  for (const text of Object.values(disguises)) assert.deepEqual(findPlanted([other], text), [])
  assert.deepEqual(findPlanted([secret], 'sk-proj- is how such keys begin'), [])
})

test('a value that was given is found whole, not in parts', () => {
  const options = { ...secret, isGiven: true }
  assert.deepEqual(findPlanted([options], value.slice(4)), [])
  assert.notDeepEqual(findPlanted([options], `x${value}`), [])
})
