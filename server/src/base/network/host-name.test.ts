import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHostName } from './host-name.ts'

test('one host has one name, however it is written', () => {
  for (const text of ['example.com', 'EXAMPLE.com', 'example.com.']) assert.equal(parseHostName(text), 'example.com')
  for (const name of ['localhost', 'a', '1and1.com', 'xn--bcher-kva.example', '_dns.example.com', '3.0x1.org'])
    assert.equal(parseHostName(name), name)
})

test('an address is no name, in none of its spellings', () => {
  const addresses = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.01', '::1', '[::1]', '1.0x']
  for (const text of addresses) assert.equal(parseHostName(text), undefined, text)
})

test('what no host is called is no name', () => {
  const wrong = ['', '.', 'a..b', '.a', 'a b', 'a\0b', 'a%00', 'user@a', 'a:80', 'a/b', 'bücher.example', '-a', 'a-']
  for (const text of [...wrong, 'a..', `${'a'.repeat(64)}.com`, `${'a.'.repeat(127)}com`])
    assert.equal(parseHostName(text), undefined, text)
})
