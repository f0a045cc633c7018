import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { makePublicKey } from '#test/make-public-key.ts'
import { readPublicKey } from './read-public-key.ts'

const rsa = (modulusLength: number) => ssh2.utils.generateKeyPairSync('rsa', { bits: modulusLength }).public

test('a key is known by its bytes, whatever stands around it', async () => {
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq8zmpi4dDkO7nzQvfgSfKqX9TPXjSUu2y5IXNC1q7p'
  const { text, fingerprint } = await readPublicKey(`\n  ${line}\tada@example.com; rm -rf / \u202e\r\n`)
  assert.equal(text, line)
  assert.match(fingerprint, /^SHA256:[A-Za-z0-9+/]{43}$/)
  assert.deepEqual(await readPublicKey(line), await readPublicKey(text))
})

test('keys of each type are taken, of RSA those that are strong enough', async () => {
  for (const bits of [256, 384, 521])
    await readPublicKey(ssh2.utils.generateKeyPairSync('ecdsa', { bits: bits as 256 }).public)
  await readPublicKey(makePublicKey())
  await readPublicKey(rsa(2048))
  await assert.rejects(readPublicKey(rsa(1024)), /RSA key must have 2048 to 16384 bits, and this one has 1024/)
})

test('what is no such key is refused in words that do not repeat it', async () => {
  const good = makePublicKey()
  const [, base64 = ''] = good.split(' ')
  const bytes = Buffer.from(base64, 'base64')
  const offCurve = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).public.split(' ')
  const point = Buffer.from(offCurve[1] ?? '', 'base64')
  point[point.length - 1]! ^= 1
  const wrong: Record<string, RegExp> = {
    '': /not a public key/,
    [base64]: /not a public key/,
    [`command="sh" ${good}`]: /not a public key/,
    [`${good}\n${good}`]: /not a public key/,
    [`ssh-dss ${base64}`]: /not a public key/,
    [`ssh-rsa ${base64}`]: /damaged/,
    [`ssh-ed25519 ${base64.slice(0, -4)}`]: /damaged/,
    [`ssh-ed25519 ${Buffer.concat([bytes, Buffer.from('more')]).toString('base64')}`]: /damaged/,
    [`${offCurve[0]} ${point.toString('base64')}`]: /damaged/,
    [`ssh-ed25519 ${'A'.repeat(100_000)}`]: /not a public key/,
    [generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string]: /private key/,
  }
  for (const [line, why] of Object.entries(wrong))
    await assert.rejects(readPublicKey(line), (error: Error) => {
      assert.match(error.message, why, line.slice(0, 100))
      return !line || !error.message.includes(line.slice(-40))
    })
})
